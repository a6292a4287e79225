import Testing

@testable import FancyTextBasics

@Suite struct JSONBufferTests {
    private func json(pretty: Bool = false, _ write: (inout JSONBuffer) -> Void) -> String {
        var buffer = JSONBuffer(pretty: pretty)
        write(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func commasStandBetweenValuesOnly() {
        let text = json {
            $0.beginObject()
            $0.member("a", 1)
            $0.key("b")
            $0.beginArray()
            $0.number(1)
            $0.null()
            $0.beginObject()
            $0.endObject()
            $0.endArray()
            $0.member("c", true)
            $0.endObject()
        }
        #expect(text == #"{"a":1,"b":[1,null,{}],"c":true}"#)
    }

    @Test func prettyIndentsAndLeavesEmptyContainersClosed() {
        let text = json(pretty: true) {
            $0.beginObject()
            $0.member("a", 1)
            $0.key("b")
            $0.beginArray()
            $0.endArray()
            $0.endObject()
        }
        #expect(text == "{\n  \"a\": 1,\n  \"b\": []\n}")
    }

    @Test(arguments: [
        (Float(0), "0"), (0.1, "0.1"), (-2.5, "-2.5"), (100, "100"), (1e-7, "1e-07"), (3.4e38, "3.4e+38"),
        (.infinity, "null"),
        (.nan, "null"), (16_777_216, "16777216"),
    ])
    func floatsAreShortest(value: Float, expected: String) {
        #expect(json { $0.number(value) } == expected)
    }

    @Test func integersReachBothEnds() {
        #expect(json { $0.number(Int.min) } == "-9223372036854775808")
        #expect(json { $0.number(Int.max) } == "9223372036854775807")
    }

    @Test func controlsQuotesAndSeparatorsAreEscaped() {
        #expect(
            json { $0.string("a\"\\\n\t\u{1B}\u{7F}\u{9B}\u{2028}é😀") } == #""a\"\\\n\t\u001b\u007f\u009b\u2028é😀""#)
    }

    @Test func invalidUTF8BecomesReplacementCharacters() {
        #expect(
            json { $0.string([0x61, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8]) }
                == "\"a\u{FFFD}(\u{FFFD}\u{FFFD}\u{FFFD}\"")
    }
}
