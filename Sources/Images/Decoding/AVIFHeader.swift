// The size and orientation of an AVIF file's primary item (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12 §6.5, §9.3).

struct AVIFHeader {
    private(set) var width = 0, height = 0
    /// The EXIF orientation with the effect of the item's rotation and mirroring. Browsers ignore EXIF in these files.
    private(set) var orientation = 1
    private let data: [UInt8]

    private typealias Box = (type: String, content: Range<Int>)

    init(_ data: [UInt8]) {
        self.data = data
        let meta = boxes(in: "meta", of: boxes(data.indices), after: 4)
        let properties = boxes(in: "iprp", of: meta)
        guard let item = meta.first(where: { $0.type == "pitm" })?.content.lowerBound,
            let links = properties.first(where: { $0.type == "ipma" })?.content
        else { return }
        let primary = number(item + 4, number(item, 1) == 0 ? 2 : 4)
        let values = boxes(in: "ipco", of: properties)
        let (idBytes, linkBytes) = (number(links.lowerBound, 1) == 0 ? 2 : 4, 1 + number(links.lowerBound + 3, 1) & 1)
        var (quarters, mirror) = (0, 0)
        var at = links.lowerBound + 8
        while at < links.upperBound {
            let (id, count) = (number(at, idBytes), number(at + idBytes, 1))
            at += idBytes + 1
            for _ in 0..<count {
                let link = number(at, linkBytes) & (linkBytes == 1 ? 0x7F : 0x7FFF) - 1
                at += linkBytes
                guard id == primary, values.indices.contains(link) else { continue }
                let start = values[link].content.lowerBound
                switch values[link].type {
                case "ispe": (width, height) = (number(start + 4, 4), number(start + 8, 4))
                case "irot": quarters = number(start, 1) & 3
                case "imir": mirror = 1 + number(start, 1) & 1
                default: break
                }
            }
        }
        orientation = [[1, 8, 3, 6], [4, 5, 2, 7], [2, 7, 4, 5]][mirror][quarters]
        if orientation > 4 { (width, height) = (height, width) }
    }

    /// A big-endian number; bytes after the end of the file are 0.
    private func number(_ at: Int, _ bytes: Int) -> Int {
        (at..<at + bytes).reduce(0) { $0 << 8 | ($1 < data.count ? Int(data[$1]) : 0) }
    }

    private func boxes(_ range: Range<Int>) -> [Box] {
        var (result, at) = ([] as [Box], range.lowerBound)
        while at + 8 <= range.upperBound, number(at, 4) >= 8 {
            let end = min(at + number(at, 4), range.upperBound)
            result.append((String(decoding: data[at + 4..<at + 8], as: UTF8.self), at + 8..<end))
            at = end
        }
        return result
    }

    /// The boxes in the first box of a type, after some bytes of its contents.
    private func boxes(in type: String, of outer: [Box], after bytes: Int = 0) -> [Box] {
        guard let range = outer.first(where: { $0.type == type })?.content, range.count >= bytes else { return [] }
        return boxes(range.dropFirst(bytes))
    }
}
