// Boxes that columns divide, from markup to the parts that are painted (CSS Fragmentation 3, CSS Multi-column 1 and 2).

import FancyText
import Testing

@Suite struct FragmentationTests {
    /// Expects a picture of blocks, each as `x,y,width,height`.
    private func agree(_ html: String, _ blocks: String) throws {
        let expected = blocks.split(separator: " ").map { block in
            let values = block.split(separator: ",")
            let place = "left:\(values[0])px;top:\(values[1])px;width:\(values[2])px;height:\(values[3])px"
            return "<i style='position:absolute;\(place)'></i>"
        }
        func picture(_ html: String) throws -> [UInt8] {
            var options = RenderOptions()
            (options.width, options.height) = (.pixels(400), .pixels(200))
            var document = MarkupParser().parse("<style>body{margin:0}i{display:block;background:green}</style>" + html)
            return Array(try Renderer().png(&document, options))
        }
        #expect(try picture(html) == picture(expected.joined()), "\(html)")
    }

    private let columns = "<div style='columns:2;column-gap:0;column-fill:auto;width:200px;height:100px"

    @Test func aHeightIsDividedWhateverTheContents() throws {
        try agree(
            "\(columns)'><i style='height:150px'><b style='display:block;height:60px;break-inside:avoid'></b>"
                + "<b style='display:block;height:60px;break-inside:avoid'></b></i>", "0,0,100,100 100,0,100,50")
        try agree("\(columns)'><i style='height:20px'><i style='height:150px'></i></i>", "0,0,100,100 100,0,100,50")
    }

    @Test func boxesSideBySideAreDividedOnTheirOwn() throws {
        try agree(
            "\(columns)'><div style='display:flex'><i style='width:30px;height:120px'></i>"
                + "<i style='width:30px;height:150px;margin-left:10px'></i></div>",
            "0,0,30,100 100,0,30,20 40,0,30,100 140,0,30,50")
    }

    @Test func positionedBoxesAreDividedWithTheirContainingBlock() throws {
        try agree(
            "\(columns)'><div style='position:relative;height:180px'>"
                + "<i style='position:absolute;top:50px;width:20px;height:100px'></i></div>", "0,50,20,50 100,0,20,50")
    }

    @Test func columnsInColumnsHaveRows() throws {
        try agree(
            "\(columns)'><div style='columns:2;column-gap:0'>"
                + String(repeating: "<i style='height:50px'></i>", count: 8) + "</div>", "0,0,200,100")
    }

    @Test func columnsWithAHeightHaveRows() throws {
        try agree(
            "<div style='columns:2 / 20px;gap:10px 0;width:200px;column-fill:auto'><i style='height:70px'></i></div>",
            "0,0,200,20 0,30,100,20 100,30,100,10")
    }
}
