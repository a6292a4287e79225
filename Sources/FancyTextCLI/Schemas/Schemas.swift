// JSON Schemas (draft 2020-12) of all JSON that is printed.
//
// In: a schema's name. Out: its text, which is self-contained.

/// The outputs that have a schema.
enum SchemaName: String, CaseIterable {
    case render, select, dump, diagnostics, fonts, batch
    case batchRequest = "batch-request"

    /// The schema's text.
    var text: String {
        switch self {
        case .render: Schemas.render
        case .select: Schemas.select
        case .dump: Schemas.dump
        case .diagnostics: Schemas.diagnostics
        case .fonts: Schemas.fonts
        case .batch: Schemas.batch
        case .batchRequest: Schemas.batchRequest
        }
    }
}

enum Schemas {
    // Definitions that several schemas share; each schema is printed whole.

    /// The attributes of a run.
    private static let attributes = #"""
            "style": {
              "type": "object",
              "properties": {
                "font": {"$ref": "#/$defs/font"},
                "foregroundColor": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "backgroundColor": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "ligature": {"type": "number"}, "kern": {"type": "number"}, "tracking": {"type": "number"},
                "wordSpacing": {"type": "number"},
                "underlineStyle": {"enum": ["single", "double", "dotted", "dashed", "wavy"]},
                "underlineColor": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "underlineThickness": {"type": "number"},
                "strikethroughStyle": {"enum": ["single", "double", "dotted", "dashed", "wavy"]},
                "strikethroughColor": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "strikethroughThickness": {"type": "number"},
                "overlineStyle": {"enum": ["single", "double", "dotted", "dashed", "wavy"]},
                "overlineColor": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "overlineThickness": {"type": "number"}, "underlineOffset": {"type": "number"},
                "strokeColor": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "strokeWidth": {"type": "number"},
                "shadow": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "x": {"type": "number"}, "y": {"type": "number"}, "blur": {"type": "number"},
                      "color": {"type": "string", "pattern": "^#[0-9a-f]{8}$"}
                    },
                    "required": ["x", "y", "blur", "color"], "additionalProperties": false
                  }
                },
                "link": {"type": "string"}, "baselineOffset": {"type": "number"},
                "obliqueness": {"type": "number"}, "expansion": {"type": "number"},
                "writingDirection": {"type": "string"}, "textTransform": {"type": "string"},
                "attachment": {"type": "string"}, "attachmentWidth": {"type": "number"},
                "attachmentHeight": {"type": "number"}, "textEffect": {"type": "string"},
                "opacity": {"type": "number"}, "visibility": {"type": "string"},
                "paragraphStyle": {"$ref": "#/$defs/paragraphStyle"}
              },
              "required": ["font", "foregroundColor", "paragraphStyle"], "additionalProperties": false
            },
            "font": {
              "type": "object",
              "properties": {
                "family": {"type": "array", "items": {"type": "string"}}, "size": {"type": "number"},
                "weight": {"type": "number"}, "italic": {"type": "boolean"}, "oblique": {"type": "number"},
                "stretch": {"type": "number"}, "caps": {"type": "string"},
                "features": {"type": "object", "additionalProperties": {"type": "number"}},
                "variations": {"type": "object", "additionalProperties": {"type": "number"}},
                "language": {"type": "string"}
              },
              "required": ["family", "size", "weight", "italic", "stretch"], "additionalProperties": false
            },
            "paragraphStyle": {
              "type": "object",
              "properties": {
                "alignment": {"type": "string"}, "lineHeight": {"type": "number"},
                "lineHeightMultiple": {"type": "number"}, "lineSpacing": {"type": "number"},
                "paragraphSpacing": {"type": "number"}, "paragraphSpacingBefore": {"type": "number"},
                "headIndent": {"type": "number"}, "tailIndent": {"type": "number"},
                "firstLineHeadIndent": {"type": "number"}, "minimumLineHeight": {"type": "number"},
                "maximumLineHeight": {"type": "number"}, "hyphenationFactor": {"type": "number"},
                "defaultTabInterval": {"type": "number"}, "maximumLines": {"type": "number"},
                "lineBreakMode": {"type": "string"}, "hyphenation": {"type": "boolean"},
                "baseWritingDirection": {"type": "string"}, "lineBreakStrategy": {"type": "string"},
                "allowsDefaultTighteningForTruncation": {"type": "boolean"},
                "tabStops": {"type": "array", "items": {"type": "number"}}, "listStyle": {"type": "string"},
                "whiteSpace": {"type": "string"}
              },
              "required": ["alignment"]
            }
        """#

    /// A range of a text or source.
    private static let range = #"""
            "range": {
              "type": "object",
              "properties": {
                "start": {"type": "integer", "minimum": 0}, "end": {"type": "integer", "minimum": 0}
              },
              "required": ["start", "end"], "additionalProperties": false
            }
        """#

    /// A node of the tree, with its contents.
    private static let node = #"""
            "node": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {
                    "type": {"const": "root"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                    "source": {"$ref": "#/$defs/range"}
                  },
                  "required": ["type", "children"], "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "type": {"const": "element"}, "name": {"type": "string"}, "namespace": {"type": "string"},
                    "attributes": {"type": "object", "additionalProperties": {"type": "string"}},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                    "source": {"$ref": "#/$defs/range"}
                  },
                  "required": ["type", "name", "attributes", "children"], "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "type": {"enum": ["text", "comment", "doctype", "instruction", "cdata", "rawtext"]},
                    "value": {"type": "string"}, "source": {"$ref": "#/$defs/range"}
                  },
                  "required": ["type", "value"], "additionalProperties": false
                }
              ]
            }
        """#

    static let render = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "fancytext render --format json",
          "$defs": {
        \#(attributes),
        \#(range)
          },
          "type": "object",
          "properties": {
            "version": {"const": 1}, "title": {"type": "string"}, "language": {"type": "string"},
            "text": {"type": "string"},
            "runs": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "start": {"type": "integer", "minimum": 0}, "end": {"type": "integer", "minimum": 0},
                  "style": {"$ref": "#/$defs/style"}, "tag": {"type": "string"}, "id": {"type": "string"},
                  "class": {"type": "string"}, "link": {"type": "string"}, "marker": {"const": true},
                  "cell": {
                    "type": "object",
                    "properties": {
                      "table": {"type": "integer", "minimum": 0}, "row": {"type": "integer", "minimum": 0},
                      "column": {"type": "integer", "minimum": 0}, "rowSpan": {"type": "integer"},
                      "columnSpan": {"type": "integer"}, "header": {"const": true}
                    },
                    "required": ["table", "row", "column"], "additionalProperties": false
                  },
                  "source": {"$ref": "#/$defs/range"}
                },
                "required": ["start", "end", "style"], "additionalProperties": false
              }
            },
            "size": {
              "type": "object", "properties": {"width": {"type": "number"}, "height": {"type": "number"}},
              "required": ["width", "height"], "additionalProperties": false
            },
            "lines": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "start": {"type": "integer", "minimum": 0}, "end": {"type": "integer", "minimum": 0},
                  "x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"},
                  "height": {"type": "number"}, "baseline": {"type": "number"}
                },
                "required": ["start", "end", "x", "y", "width", "height", "baseline"],
                "additionalProperties": false
              }
            },
            "words": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "start": {"type": "integer", "minimum": 0}, "end": {"type": "integer", "minimum": 0},
                  "text": {"type": "string"}, "x": {"type": "number"}, "y": {"type": "number"},
                  "width": {"type": "number"}, "height": {"type": "number"}, "font": {"type": "string"},
                  "size": {"type": "number"}
                },
                "required": ["start", "end", "text", "x", "y", "width", "height", "font", "size"],
                "additionalProperties": false
              }
            },
            "links": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "href": {"type": "string"},
                  "boxes": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"},
                        "height": {"type": "number"}
                      },
                      "required": ["x", "y", "width", "height"], "additionalProperties": false
                    }
                  }
                },
                "required": ["href", "boxes"], "additionalProperties": false
              }
            },
            "truncated": {
              "anyOf": [
                {"const": false},
                {
                  "type": "object",
                  "properties": {
                    "at": {"type": "integer", "minimum": 0},
                    "tail": {
                      "type": "object",
                      "properties": {
                        "x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"},
                        "height": {"type": "number"}
                      },
                      "required": ["x", "y", "width", "height"], "additionalProperties": false
                    }
                  },
                  "additionalProperties": false
                }
              ]
            },
            "glyphs": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "font": {"type": "string"}, "size": {"type": "number"},
                  "glyphs": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "id": {"type": "integer", "minimum": 0}, "cluster": {"type": "integer", "minimum": 0},
                        "x": {"type": "number"}, "y": {"type": "number"}, "advance": {"type": "number"}
                      },
                      "required": ["id", "cluster", "x", "y", "advance"], "additionalProperties": false
                    }
                  }
                },
                "required": ["font", "size", "glyphs"], "additionalProperties": false
              }
            }
          },
          "required": ["version", "text", "runs"], "additionalProperties": false
        }
        """#

    static let select = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "fancytext select: a line of --format json, or a record of --field",
          "$defs": {
        \#(range),
        \#(node),
            "record": {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
            "value": {
              "anyOf": [
                {"type": "string"}, {"type": "null"}, {"$ref": "#/$defs/record"},
                {"type": "array", "items": {"$ref": "#/$defs/value"}}
              ]
            }
          },
          "anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/record"}]
        }
        """#

    static let dump = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "fancytext dump --format json: a line of the stages tokens, normalized and styles, all of the others",
          "$defs": {
        \#(attributes),
        \#(range),
        \#(node),
            "token": {
              "type": "object",
              "properties": {
                "type": {
                  "enum": [
                    "startTag", "endTag", "text", "comment", "doctype", "instruction", "cdata", "rawtext"
                  ]
                },
                "text": {"type": "string"}, "source": {"$ref": "#/$defs/range"}
              },
              "required": ["type", "text", "source"], "additionalProperties": false
            },
            "normalized": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {
                    "type": {"const": "startTag"}, "name": {"type": "string"},
                    "attributes": {"type": "object", "additionalProperties": {"type": "string"}},
                    "source": {"$ref": "#/$defs/range"}
                  },
                  "required": ["type", "name", "attributes"], "additionalProperties": false
                },
                {
                  "type": "object", "properties": {"type": {"const": "endTag"}, "name": {"type": "string"}},
                  "required": ["type", "name"], "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "type": {"enum": ["text", "comment", "doctype", "instruction", "cdata", "rawtext"]},
                    "value": {"type": "string"}
                  },
                  "required": ["type", "value"], "additionalProperties": false
                }
              ]
            },
            "styled": {
              "type": "object",
              "properties": {
                "name": {"type": "string"}, "id": {"type": "string"}, "class": {"type": "string"},
                "display": {"type": "string"}, "style": {"$ref": "#/$defs/style"},
                "source": {"$ref": "#/$defs/range"}
              },
              "required": ["name", "display", "style"], "additionalProperties": false
            },
            "text": {
              "type": "object",
              "properties": {
                "text": {"type": "string"},
                "boxes": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "kind": {"type": "string"}, "name": {"type": "string"}, "anonymous": {"type": "boolean"},
                      "parent": {"type": "integer", "minimum": 0}, "text": {"$ref": "#/$defs/range"},
                      "inline": {"type": "boolean"}, "columnSpan": {"type": "integer"},
                      "rowSpan": {"type": "integer"}, "marker": {"type": "string"}, "src": {"type": "string"},
                      "alt": {"type": "string"}
                    },
                    "required": ["kind", "text"], "additionalProperties": false
                  }
                }
              },
              "required": ["text", "boxes"], "additionalProperties": false
            },
            "layout": {
              "type": "object",
              "properties": {
                "size": {
                  "type": "object", "properties": {"width": {"type": "number"}, "height": {"type": "number"}},
                  "required": ["width", "height"], "additionalProperties": false
                },
                "truncated": {"type": "boolean"},
                "boxes": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "kind": {"type": "string"}, "parent": {"type": "integer", "minimum": 0},
                      "x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"},
                      "height": {"type": "number"}, "anonymous": {"type": "boolean"},
                      "missing": {"type": "boolean"}, "placement": {"type": "string"},
                      "lines": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "properties": {
                            "text": {"$ref": "#/$defs/range"}, "x": {"type": "number"}, "y": {"type": "number"},
                            "width": {"type": "number"}, "height": {"type": "number"},
                            "baseline": {"type": "number"},
                            "fragments": {
                              "type": "array",
                              "items": {
                                "type": "object",
                                "properties": {
                                  "kind": {"type": "string"}, "text": {"$ref": "#/$defs/range"},
                                  "x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"},
                                  "height": {"type": "number"}, "level": {"type": "integer"},
                                  "hidden": {"type": "boolean"}, "children": {"type": "integer", "minimum": 0}
                                },
                                "required": ["kind"]
                              }
                            }
                          },
                          "required": ["text", "baseline", "fragments"], "additionalProperties": false
                        }
                      }
                    },
                    "required": ["kind", "x", "y", "width", "height"], "additionalProperties": false
                  }
                }
              },
              "required": ["size", "truncated", "boxes"], "additionalProperties": false
            },
            "display": {
              "type": "object",
              "properties": {
                "size": {
                  "type": "object", "properties": {"width": {"type": "number"}, "height": {"type": "number"}},
                  "required": ["width", "height"], "additionalProperties": false
                },
                "background": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                "items": {
                  "type": "array",
                  "items": {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]}
                }
              },
              "required": ["size", "background", "items"], "additionalProperties": false
            }
          },
          "anyOf": [
            {"$ref": "#/$defs/token"}, {"$ref": "#/$defs/normalized"}, {"$ref": "#/$defs/node"},
            {"$ref": "#/$defs/styled"}, {"$ref": "#/$defs/text"}, {"$ref": "#/$defs/layout"},
            {"$ref": "#/$defs/display"}
          ]
        }
        """#

    static let diagnostics = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "fancytext --diagnostics json: a line of standard error", "type": "object",
          "properties": {
            "severity": {"enum": ["note", "warning", "error"]},
            "code": {"type": "string", "pattern": "^[a-z]+([.-][a-z0-9-]+)*$"}, "file": {"type": "string"},
            "line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1},
            "message": {"type": "string"}
          },
          "required": ["severity", "code", "message"], "additionalProperties": false
        }
        """#

    static let fonts = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "fancytext fonts --json",
          "type": "object",
          "properties": {
            "libraries": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "name": {"type": "string"}, "version": {"type": "string"}, "path": {"type": "string"}
                },
                "required": ["name", "version", "path"], "additionalProperties": false
              }
            },
            "families": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "family": {"type": "string"}, "origin": {"type": "string"},
                  "faces": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "italic": {"type": "boolean"}, "weights": {}, "stretches": {},
                        "path": {"type": "string"}, "index": {"type": "integer", "minimum": 0},
                        "axes": {
                          "type": "array",
                          "items": {
                            "type": "object",
                            "properties": {
                              "tag": {"type": "string"}, "minimum": {"type": "number"},
                              "default": {"type": "number"}, "maximum": {"type": "number"}
                            },
                            "required": ["tag", "minimum", "default", "maximum"], "additionalProperties": false
                          }
                        }
                      },
                      "required": ["italic", "weights", "stretches", "index", "axes"],
                      "additionalProperties": false
                    }
                  }
                },
                "required": ["family", "origin", "faces"], "additionalProperties": false
              }
            }
          },
          "required": ["libraries", "families"], "additionalProperties": false
        }
        """#
}
