// Input encodings (SPEC T7): any bytes in, valid UTF-8 out.

package enum InputEncoding {
    package static func decode(_ bytes: [UInt8], label: String?, sourceName: String, log: inout DiagnosticLog) -> [UInt8] {
        bytes
    }
}
