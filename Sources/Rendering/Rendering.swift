// Drawing and writing: display lists become pixels and PNG, styled text becomes terminal text, JSON and Markdown.
