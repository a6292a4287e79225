// Options for the boxes of a picture and for files beside it: lambdas, a comparison, an image map.

import ArgumentParser
import FancyText

struct PictureArguments: Arguments {
    @Settings("lambda", "Fill <lambda id=…> from an image, or from HTML (.html, .htm).", value: "id=file", on: .placed)
    var lambda

    let check = Setting(
        "check", "Compare the picture with this one; where pixels differ, exit with 1 and write a .diff.png.",
        value: "file.png", on: .png, traits: [.program, .once])

    let tolerance = Setting(
        "tolerance", "--check: differences of a channel that do not count, of 255 (default: 0).", value: "n",
        traits: .program)

    @Switch(
        "update", "--check: where pixels differ, or there is no such picture, write the picture drawn in its place.",
        traits: .program)
    var update

    let imageMap = Setting(
        "image-map", "Write the links of the picture as an HTML image map.", value: "file.html", on: [.bitmaps, .svg],
        traits: [.program, .once])

    var needPicture: Bool { check.isGiven || imageMap.isGiven }

    /// The contents of `--lambda`, by the ids of the boxes.
    func lambdas(limits: Limits) throws -> [String: Lambda] {
        var result: [String: Lambda] = [:]
        for entry in lambda {
            guard let cut = entry.firstIndex(of: "="), cut > entry.startIndex, entry.index(after: cut) < entry.endIndex
            else { throw ValidationError("--lambda needs id=file, not '\(entry)'.") }
            let path = String(entry[entry.index(after: cut)...])
            let bytes = try FileAccess.read(path, limit: limits.inputBytes)
            let isHTML = FileEnding.format(of: path) == .html
            do {
                result[String(entry[..<cut])] = try isHTML ? .html(bytes, name: path) : .picture(bytes, limits: limits)
            } catch {
                throw CommandFailure("--lambda: \(path): \(error)")
            }
        }
        return result
    }

    /// - Throws: if the document has no box for a given lambda.
    func validate(_ lambdas: [String: Lambda], for document: Document, named name: String) throws {
        guard !lambdas.isEmpty else { return }
        let known = Set(document.lambdaIDs)
        for id in lambdas.keys.sorted() where !known.contains(id) {
            throw CommandFailure("--lambda: \(name) has no <lambda id=\"\(id)\">")
        }
    }

    /// - Throws: if an option requires a picture, and none is rendered.
    func validate(formats: [RenderFormat]) throws {
        if tolerance.isGiven, !check.isGiven { throw ValidationError("--tolerance requires --check.") }
        if update, !check.isGiven { throw ValidationError("--update requires --check.") }
        _ = try allowedDifference
        if check.isGiven, formats.filter({ $0 == .png }).count != 1 {
            throw ValidationError("--check requires PNG output, once.")
        }
        if imageMap.isGiven, !formats.contains(where: \.isPicture) {
            throw ValidationError("--image-map requires a picture.")
        }
    }

    /// The image map of the picture in `output`, and the map's own file; nil if none is requested.
    func imageMap(
        of document: inout Document, _ options: RenderOptions, renderer: Renderer, output: String?, for file: String
    ) throws -> (path: String, bytes: [UInt8])? {
        guard let path = imageMap.text.map({ FileName.expand($0, for: file) }) else { return nil }
        let picture = Self.relative(output ?? Self.stem(of: path) + ".png", to: path)
        return (path, try renderer.imageMap(&document, options, picture: picture))
    }

    private var allowedDifference: Int { get throws { try tolerance.integer(in: 0...255) ?? 0 } }

    /// Compares a picture with the expected one: a message, and a picture beside the output or the expected one; nil if equal.
    func difference(
        of picture: [UInt8], output: String?, for file: String, limits: Limits
    ) throws -> (message: String, path: String, png: [UInt8])? {
        guard let path = check.text.map({ FileName.expand($0, for: file) }) else { return nil }
        let exists = PathText.exists(path)
        guard exists || update else { throw CommandFailure("\(path): there is no such picture; --update writes it") }
        let expected = exists ? try FileAccess.read(path, limit: limits.inputBytes) : nil
        // Equal bytes are equal pictures.
        if expected == picture { return nil }
        do {
            let difference = try expected.map {
                try PictureDifference(expected: $0, actual: picture, tolerance: allowedDifference, limits: limits)
            }
            if difference?.isEqual == true { return nil }
            guard let difference, !update else {
                try FileAccess.write([(path, picture)])
                return nil
            }
            let target = Self.stem(of: output ?? path) + ".diff.png"
            let (size, drawn) = (difference.expectedSize, difference.actualSize)
            let sizes =
                "\(path) is \(size.width)×\(size.height) pixels, the picture drawn \(drawn.width)×\(drawn.height); "
            let message =
                "\(size == drawn ? "" : sizes)\(path): \(difference.differingPixels) of \(difference.pixels) pixels differ, "
                + "by at most \(difference.largestDifference) of 255; see \(target)"
            return (message, target, try difference.png())
        } catch let error as RenderError {
            throw CommandFailure("--check: \(path): \(error)")
        }
    }

    private static func stem(of path: String) -> String {
        guard let dot = path.lastIndex(of: "."), dot > path.startIndex, !path[dot...].contains("/"),
            path[path.index(before: dot)] != "/"
        else { return path }
        return String(path[..<dot])
    }

    /// A picture's path, relative to the folder of `file`.
    private static func relative(_ picture: String, to file: String) -> String {
        let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        return picture.hasPrefix(folder) ? String(picture.dropFirst(folder.count)) : picture
    }
}
