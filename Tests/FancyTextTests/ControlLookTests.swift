// Form controls whose look the page changes: each must look like plain boxes.

import Testing

@testable import FancyText

@Suite struct ControlLookTests {
    private static func png(_ html: String) throws -> [UInt8] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var options = RenderOptions()
        (options.width, options.height, options.writesMetadata) = (.pixels(220), .pixels(90), false)
        var document = MarkupParser().parse(
            "<!DOCTYPE html><style>input,progress,meter,select{margin:0}</style>" + html)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    private static let block = "display:block;"
    private static let plain = "width:150px;font:16px Inter;border:0;padding:0;background:none;"

    @Test(arguments: [
        (
            "<input type=checkbox checked style='appearance:none;\(block)width:30px;height:20px;background:gold;border:2px solid red'>",
            "<div style='box-sizing:border-box;width:30px;height:20px;background:gold;border:2px solid red'></div>"
        ),
        ("<input type=radio style='-webkit-appearance:none;\(block)'>", ""),
        (
            "<progress value=.25 style='appearance:none;\(block)width:80px;height:9px'></progress>",
            "<div style='width:80px;height:9px;background:gray'><div style='width:20px;height:9px;background:green'></div></div>"
        ),
        (
            "<style>progress::-webkit-progress-value{background:red}progress::-webkit-progress-bar{background:#eee}</style>"
                + "<progress value=1 max=4 style='appearance:none;\(block)width:80px;height:9px'></progress>",
            "<div style='width:80px;height:9px;background:#eee'><div style='width:20px;height:9px;background:red'></div></div>"
        ),
        (
            "<style>::-webkit-slider-thumb{appearance:none;width:20px;height:20px;background:red}</style>"
                + "<input type=range value=25 style='appearance:none;\(block)width:100px;height:8px;background:gold'>",
            "<div style='width:100px;height:8px;background:gold;position:relative'><div style='position:absolute;left:20px;top:-6px;width:20px;height:20px;background:red'></div></div>"
        ),
        (
            "<select style='appearance:none;\(block)width:80px;height:60px;font:16px Inter;border:1px solid red;background:none'><option>a<option selected>b<option>c</select>",
            "<div style='box-sizing:border-box;width:80px;height:60px;line-height:58px;border:1px solid red'>b</div>"
        ),
        (
            "<style>::placeholder{color:red}</style><input placeholder=p style='\(block)'>",
            "<input value=p style='\(block)color:red'>"
        ),
        (
            "<input type=checkbox style='\(block)padding:9px;border:3px solid'>",
            "<input type=checkbox style='\(block)'>"
        ),
        (
            "<select multiple><optgroup label=g><option>a</optgroup><option>b</select>",
            "<select multiple><option style='font-weight:bold'>g<option style='padding-left:20px'>a<option>b</select>"
        ),
        (
            "<select multiple><option label=a>text<option label=''>b</select>",
            "<select multiple><option>a<option>b</select>"
        ),
        (
            "<input type=number min=1 max=55 value=3 style='\(block)'>",
            "<input value=3 size=2 style='\(block)padding-right:17px'>"
        ),
        (
            "<input style='field-sizing:content;\(block)font:16px Inter;background:gold;border:2px inset red' value=abc>",
            "<div style='width:fit-content;font:16px Inter;padding:1px 2px;border:2px inset red;background:gold'>abc</div>"
        ),
        (
            "<input value=v style='background:gold;\(block)width:50px'>",
            "<div style='width:50px;font:13.3333px Arial;padding:1px 2px;border:2px inset #767676;background:gold'>v</div>"
        ),
        (
            "<input disabled value=v style='background:gold;\(block)width:50px'>",
            "<div style='width:50px;font:13.3333px Arial;padding:1px 2px;border:2px inset rgb(118 118 118/.3);background:gold;color:#545454'>v</div>"
        ),
        (
            "<input type=date disabled value='2026-11-23' style='appearance:none;\(block)\(plain)color:red'>",
            "<div style='\(plain)color:red;padding:1px 0'><span>11</span>/<span>23</span>/<span>2026</span></div><style>span{padding:0 1px}</style>"
        ),
        (
            "<input type=month disabled value='2026-11' style='appearance:none;\(block)\(plain)color:red'>",
            "<div style='\(plain)color:red;padding:1px 0'><span>November</span> <span>2026</span></div><style>span{padding:0 1px}</style>"
        ),
        (
            "<style>b::after{content:linear-gradient(red,blue);display:inline-block;width:30px;height:20px}</style><b>g</b>",
            "<b>g<i style='display:inline-block;width:30px;height:20px;background:linear-gradient(red,blue)'></i></b>"
        ),
        ("<button style='display:flex'>b</button>", "<button style='display:block'>b</button>"),
        ("<input style='display:inline' value=v>", "<input value=v>"),
        (
            "<button style='background:gold;\(block)'>b</button>",
            "<div style='width:fit-content;font:13.3333px Arial;padding:1px 6px;border:2px outset buttonborder;background:gold'>b</div>"
        ),
        (
            "<div style='zoom:2;width:40px;border:1px solid;letter-spacing:1px;padding:1em;line-height:20px'>a<i style='font-size:1rem'>b</i></div>",
            "<div style='width:80px;border:2px solid;font-size:32px;letter-spacing:2px;padding:32px;line-height:40px'>a<i>b</i></div>"
        ),
        (
            "<div style='zoom:50%'><p style='zoom:4;margin:0'>a</p><b style='font-size:medium'>c</b></div>",
            "<div style='font-size:8px'><p style='margin:0;font-size:32px'>a</p><b>c</b></div>"
        ),
        ("<p style='zoom:0'>a", "<p>a"),
        (
            "<div style='display:flex;gap:5px'><ruby>b<rt>r</rt></ruby><p>a</div>",
            "<div style='display:flex;gap:5px'><div><ruby>b<rt>r</rt></ruby></div><p>a</div>"
        ),
        (
            "<div style='line-height:.5;background:linear-gradient(red,blue);background-clip:text;color:transparent'>gy</div>",
            "<div style='line-height:.5;background:linear-gradient(red,blue);background-clip:text;color:transparent;overflow:clip'>gy</div>"
        ),
        // Emoji in a background's colour are shapes, as in a shadow.
        (
            "<div style='background:red;background-clip:text;color:transparent'>😀</div>",
            "<div style='color:transparent;text-shadow:0 0 red'>😀</div>"
        ),
        ("<p style='zoom:var(--z,200%);margin:0'>a", "<p style='font-size:2em;margin:0'>a"),
        (
            "<style>::-webkit-slider-thumb{appearance:none;width:20px;height:20px;margin-top:-8px;background:red}::-webkit-slider-runnable-track{height:4px;background:#999}</style>"
                + "<input type=range value=25 style='appearance:none;\(block)width:100px;height:24px;background:gold'>",
            "<div style='width:100px;height:24px;background:linear-gradient(#999,#999) 0 10px/100% 4px no-repeat gold;position:relative'><div style='position:absolute;left:20px;top:2px;width:20px;height:20px;background:red'></div></div>"
        ),
        (
            "<select style='appearance:none;\(block)\(plain)width:80px;height:20px;padding-right:30px'><option>Very long option</select>",
            "<div style='\(plain)width:50px;line-height:20px;white-space:nowrap;overflow:clip'>Very long option</div>"
        ),
        (
            "<select style='appearance:none;\(block)\(plain)width:80px;height:20px;text-overflow:ellipsis'><option>Very long option</select>",
            "<div style='\(plain)width:80px;line-height:20px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis'>Very long option</div>"
        ),
        (
            "<style>::placeholder{color:red;text-align:right}</style><input placeholder=p style='\(block)'>",
            "<input value=p style='\(block)color:red;text-align:right'>"
        ),
        ("<style>::placeholder{opacity:0}</style><input placeholder=p style='\(block)'>", "<input style='\(block)'>"),
        (
            "<input type=color value='#ff0000' style='appearance:none;\(block)\(plain)width:30px;height:20px'>",
            "<div style='width:26px;padding:4px 2px'><div style='box-sizing:border-box;height:12px;background:red;border:1px solid #777'></div></div>"
        ),
        (
            "<input disabled style='color-scheme:dark;appearance:none;\(block)border:0;padding:0;width:50px;height:20px'>",
            "<div style='width:50px;height:20px;background:#3b3b3b'></div>"
        ),
        (
            "<svg style='color-scheme:dark' width=30 height=30><rect width=30 height=30 fill=CanvasText /></svg>",
            "<svg width=30 height=30><rect width=30 height=30 fill=white /></svg>"
        ),
        (
            "<input value=v style='border-color:red;\(block)width:50px'>",
            "<div style='width:50px;font:13.3333px Arial;padding:1px 2px;border:2px inset red;background:white'>v</div>"
        ),
        (
            "<input type=range style='visibility:hidden;\(block)zoom:2'><p>a",
            "<input type=range style='visibility:hidden;\(block)width:258px;height:32px'><p>a"
        ),
        (
            "<style>::file-selector-button{appearance:none;margin:0;border:0;padding:0;background:none;font:inherit}</style>"
                + "<input type=file multiple style='\(block)font:12px Inter'>",
            "<div style='font:12px Inter'>Choose Files<span style='display:inline-block'>No file chosen</span></div>"
        ),
        ("<progress style='\(block)'></progress>", "<progress value=.2 style='\(block)'></progress>"),
        (
            "<select multiple><option disabled>a<optgroup label=g disabled><option>b</select>",
            "<select multiple><option style='color:graytext'>a<optgroup label=g style='color:graytext'><option style='color:graytext'>b</select>"
        ),
        ("<textarea wrap=off cols=5>long text", "<textarea cols=5 style='white-space:pre'>long text"),
        (
            "<button style='writing-mode:vertical-rl;\(block)'>b</button>",
            "<button style='writing-mode:vertical-rl;\(block)padding:6px 1px'>b</button>"
        ),
        (
            "<input type=range value=20 style='direction:rtl;\(block)'>",
            "<input type=range value=20 style='transform:scaleX(-1);\(block)'>"
        ),
        (
            "<input type=range value=20 style='writing-mode:vertical-lr;direction:rtl;\(block)'>",
            "<input type=range value=20 style='writing-mode:vertical-lr;transform:scaleY(-1);\(block)'>"
        ),
    ])
    func likePlainBoxes(_ html: String, _ expected: String) throws {
        #expect(try Self.png(html) == Self.png(expected), "\(html)")
    }

    /// The symbol is at the end of the field, in the colour of its text.
    @Test(arguments: ["date", "time", "month", "week", "datetime-local"])
    func fieldsOfDatesHaveASymbol(_ type: String) throws {
        let style = "style='display:block;width:200px;border:0;padding:0;color:red;background:none"
        func part(_ html: String) throws -> Int {
            var options = RenderOptions()
            (options.width, options.height, options.padding) = (.pixels(200), .pixels(20), 0)
            var document = MarkupParser().parse("<!DOCTYPE html><style>*{margin:0}</style>" + html)
            let pixels = try Renderer().pixels(&document, options)
            return (182..<200).reduce(0) { sum, x in
                sum + (0..<20).count { pixels[x, $0].red > 200 && pixels[x, $0].blue < 100 }
            }
        }
        #expect(try part("<input type=\(type) \(style)'>") > 20)
        #expect(try part("<input type=\(type) \(style)' disabled>") == 0)
        #expect(try part("<input type=\(type) \(style);appearance:none'>") > 20)
    }

    @Test func accentsAndDarkPagesColorControls() throws {
        let box = "<input type=checkbox checked style='display:block"
        #expect(try Self.png("\(box);accent-color:red'>") != Self.png("\(box)'>"))
        #expect(try Self.png("<div style='accent-color:red'>\(box)'></div>") == Self.png("\(box);accent-color:red'>"))
        #expect(try Self.png("\(box);color-scheme:dark'>") != Self.png("\(box)'>"))
        // The mark is dark on a light accent.
        let light = "\(box);accent-color:#ffd400"
        #expect(try Self.png("\(light)'>") == Self.png("\(light);color-scheme:dark'>"))
    }

    @Test func thumbsExtendBeyondLowRanges() throws {
        var options = RenderOptions()
        (options.width, options.height, options.padding) = (.pixels(140), .pixels(30), 0)
        var document = MarkupParser().parse(
            "<!DOCTYPE html><style>*{margin:0}</style><input type=range style='display:block;margin:10px 0;height:4px'>"
        )
        let pixel = try Renderer().pixels(&document, options)[64, 5]
        #expect(pixel.blue > 200 && pixel.red < 50)
    }
}
