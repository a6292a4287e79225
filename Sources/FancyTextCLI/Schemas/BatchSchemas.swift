// JSON Schemas (draft 2020-12) of the requests and results of `fancytext batch`.

extension Schemas {
    static let batch = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "fancytext batch: a result, a line of standard output", "type": "object",
          "properties": {
            "id": {}, "status": {"enum": [0, 1, 2]},
            "text": {"type": "string"}, "data": {"type": "string", "pattern": "^[A-Za-z0-9+/]*=*$"},
            "output": {"type": "string"}, "defined": {"type": "string"}, "cached": {"const": true}, "error": {"type": "string"},
            "messages": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "severity": {"enum": ["note", "warning", "error"]}, "code": {"type": "string"},
                  "file": {"type": "string"}, "line": {"type": "integer", "minimum": 1},
                  "column": {"type": "integer", "minimum": 1}, "message": {"type": "string"}
                },
                "required": ["severity", "code", "message"], "additionalProperties": false
              }
            }
          },
          "required": ["status"], "additionalProperties": false
        }
        """#

    static let batchRequest = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "fancytext batch: a request, a line of standard input",
          "$defs": {
            "value": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}]}
          },
          "anyOf": [
            {
              "type": "object",
              "properties": {"id": {}, "define": {"type": "string"}, "html": {"type": "string"}},
              "required": ["define", "html"], "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "id": {}, "html": {"type": "string"}, "file": {"type": "string"}, "template": {"type": "string"},
                "row": {"type": "object"}, "command": {"enum": ["render", "strip", "select", "dump"]},
                "selector": {"type": "string"}, "output": {"type": "string"}, "timeout": {"type": "number"}
              },
              "anyOf": [{"required": ["html"]}, {"required": ["file"]}, {"required": ["template"]}],
              "additionalProperties": {
                "anyOf": [{"$ref": "#/$defs/value"}, {"type": "array", "items": {"$ref": "#/$defs/value"}}]
              }
            }
          ]
        }
        """#
}
