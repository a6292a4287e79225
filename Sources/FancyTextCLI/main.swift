print("fancytext")
