// Handles of users: each denotes the same element through all edits, or none.

import Testing

@testable import FancyText
@testable import FancyTextStyling

@Suite struct ElementHandleTests {
    private func text(_ document: Document) -> String { document.html() }

    @Test func removingWhatWasSelectedLeavesTheRest() throws {
        var document = MarkupParser().parse("<p class=x>1</p><p class=x>2</p><p>keep</p>")
        for element in try document.select(".x") { document.remove(element) }
        #expect(text(document) == "<p>keep</p>")
    }

    @Test func handlesFollowEditsBeforeBehindAndInside() throws {
        var document = MarkupParser().parse("<div id=a>1</div><div id=b>2 <i id=i>3</i></div><div id=c>4</div>")
        let (a, b) = (try #require(document.element(withID: "a")), try #require(document.element(withID: "b")))
        let (c, i) = (try #require(document.element(withID: "c")), try #require(document.element(withID: "i")))
        document.setHTML("<b>x</b><b>y</b>", of: a)
        document.append("<p>z</p>", to: b)
        document.addClass("k", to: i)
        document.append("end")
        #expect([a, b, c, i].map { document.attribute("id", of: $0) } == ["a", "b", "c", "i"])
        #expect(document.html(of: i) == "<i id=\"i\" class=\"k\">3</i>")
        document.setText("t", of: b)
        #expect(!document.contains(i) && document.text(of: b) == "t" && document.text(of: c) == "4")
    }

    @Test func aRemovedElementIsNoOther() throws {
        var document = MarkupParser().parse("<p id=a>a<b>b</b></p><p>c</p>")
        let (outer, inner) = (try #require(document.element(withID: "a")), try document.select("b"))
        document.remove(outer)
        let before = text(document)
        for element in [outer] + inner {
            #expect(!document.contains(element) && document.html(of: element) == nil)
            #expect(document.text(of: element) == nil && document.attribute("id", of: element) == nil)
            let edits: [(inout Document) -> Bool] = [
                { $0.setText("x", of: element) }, { $0.setHTML("x", of: element) }, { $0.append("x", to: element) },
                { $0.setStyle(MarkupStyle(), of: element) }, { $0.addClass("x", to: element) },
                { $0.removeClass("x", from: element) }, { $0.remove(element) },
            ]
            for edit in edits {
                let isDone = edit(&document)
                #expect(!isDone)
            }
        }
        #expect(text(document) == before)
        #expect(document.styledText(of: [outer]).isEmpty)
        #expect(Selection(document: document, elements: [outer] + inner).isEmpty)
    }

    @Test func anElementOfAnotherDocumentIsRefused() throws {
        let parser = MarkupParser()
        let large = parser.parse(String(repeating: "<p class=x>a<b>b</b></p>", count: 500))
        var small = parser.parse("<p class=x>only</p>")
        let own = try #require(try small.select("p").first)
        for element in try large.select("p, b") {
            let isEdited = small.setText("changed", of: element)
            #expect(!isEdited && small.html(of: element) == nil)
        }
        #expect(small.text(of: own) == "only" && !large.contains(own))
        // Two parses of the same text are two documents.
        #expect(!parser.parse("<p class=x>only</p>").contains(own))
    }

    @Test func copiesKnowWhatWasHandedOutBefore() throws {
        var document = MarkupParser().parse("<p>1</p><p>2</p><p>3</p>")
        let elements = try document.select("p")
        var copy = document
        document.remove(elements[0])
        copy.remove(elements[2])
        #expect(elements.map { document.text(of: $0) } == [nil, "2", "3"])
        #expect(elements.map { copy.text(of: $0) } == ["1", "2", nil])
    }

    @Test func copiesThatPartedDoNotKnowEachOthersElements() throws {
        var document = MarkupParser().parse("<p>1</p><p>2</p>")
        _ = try document.select("p")
        var copy = document
        document.append("<i>a</i><u>b</u>")
        copy.append("<b>c</b><s>d</s>")
        let ours = try document.select("i, u")
        let theirs = try copy.select("b, s")
        #expect(Set(ours).isDisjoint(with: theirs))
        #expect(theirs.allSatisfy { !document.contains($0) } && ours.allSatisfy { !copy.contains($0) })
    }

    @Test func anElementHasOneHandle() throws {
        var document = MarkupParser().parse("<p id=a class=c>1</p><p>2</p>")
        let first = try #require(document.element(withID: "a"))
        document.append("<p>3</p>", to: first)
        #expect(document.element(withID: "a") == first)
        #expect(document.elements(withClass: "c") == [first])
        let all = try document.select("p")
        #expect(Set(all).count == 3 && all.first == first)
    }

    /// Removed handles free their memory: a thousand elements are created and removed repeatedly.
    @Test func handlesOfRemovedElementsAreForgotten() throws {
        var document = MarkupParser().parse("<div id=d></div><p id=p>stays</p>")
        let kept = try #require(document.element(withID: "p"))
        var gone: [ElementHandle] = []
        for number in 0..<1000 {
            document.append("<i id=n>\(number)</i>", toID: "d")
            gone.append(try #require(document.element(withID: "n")))
            document.remove(gone[number])
        }
        #expect(document.text(of: kept) == "stays")
        #expect(gone.allSatisfy { !document.contains($0) })
        #expect(Set(gone).count == 1000)
    }

    // MARK: Random edits

    /// A document whose elements each have a number as attribute, with the handles taken of them.
    private struct Marked {
        var document: Document
        var handles: [ElementHandle: Int] = [:]

        /// The numbers that are actually in the document.
        var numbers: Set<Int> {
            Set(document.matches(of: Self.all).compactMap { document.tree.attribute($0, "n").flatMap { Int($0) } })
        }

        private static let all: SelectorQuery = {
            guard let query = try? SelectorQuery("*") else { fatalError("no selector") }
            return query
        }()

        mutating func take(_ selector: String) throws {
            for element in try document.select(selector) {
                let number = try #require(document.attribute("n", of: element).flatMap { Int($0) })
                #expect(handles[element, default: number] == number)
                handles[element] = number
            }
        }

        func check(_ step: Int) {
            let numbers = numbers
            for (element, number) in handles {
                let found = document.attribute("n", of: element).flatMap { Int($0) }
                #expect(found == (numbers.contains(number) ? number : nil), "step \(step)")
                #expect(document.contains(element) == numbers.contains(number), "step \(step)")
            }
        }
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func handlesFollowRandomEdits(seed: UInt64) throws {
        var random = Generator(state: seed)
        var next = 0
        func html(_ depth: Int) -> String {
            var result = ""
            for _ in 0..<Int.random(in: 1...(depth == 0 ? 12 : 3), using: &random) {
                next += 1
                let tag = ["div", "span", "section", "b"].randomElement(using: &random) ?? "b"
                result += "<\(tag) n=\(next) class=c\(next % 7)>"
                result += depth < 4 && Bool.random(using: &random) ? html(depth + 1) : "text \(next)"
                result += "</\(tag)>"
            }
            return result
        }
        var marked = Marked(document: MarkupParser().parse(html(0) + html(0)))
        try marked.take("*")
        var copies: [Marked] = []
        for step in 0..<150 {
            let present = marked.handles.keys.filter { marked.document.contains($0) }
            // Sorted, so that the result depends only on the seed.
            let sorted = present.sorted { marked.handles[$0] ?? 0 < marked.handles[$1] ?? 0 }
            let target = sorted.randomElement(using: &random)
            switch (target, Int.random(in: 0..<10, using: &random)) {
            case (nil, _), (_, 0): marked.document.append(html(1))
            case (let target?, 1...2): marked.document.append(html(2), to: target)
            case (let target?, 3): marked.document.setHTML(html(3), of: target)
            case (let target?, 4): marked.document.setText("text", of: target)
            case (let target?, 5...6): marked.document.remove(target)
            case (let target?, 7): marked.document.addClass("k", to: target)
            case (_, 8): try marked.take(".c\(Int.random(in: 0..<7, using: &random))")
            case (_, _):
                if copies.count == 4 { swap(&marked, &copies[step % 4]) } else { copies.append(marked) }
            }
            if step % 10 == 9 { try marked.take("*") }
            for state in [marked] + copies { state.check(step) }
        }
        #expect(marked.handles.count > 100)
        // A handle that a copy created denotes the same element elsewhere, or none.
        for copy in copies {
            for (element, number) in copy.handles {
                let found = marked.document.attribute("n", of: element).flatMap { Int($0) }
                #expect(found == nil || found == number)
            }
        }
    }
}
