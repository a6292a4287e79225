import Testing

@testable import FancyTextBasics

@Suite struct BudgetTests {
    @Test func meterCountsUpToItsLimit() {
        var limits = Limits()
        limits[.boxes] = 10
        let meter = BudgetMeter(limits)
        #expect(meter.spend(7, of: .boxes) && meter.spend(3, of: .boxes) && meter.exceeded == nil)
        #expect(!meter.spend(1, of: .boxes) && meter.exceeded == .boxes)
        meter.giveBack(5, of: .boxes)
        #expect(meter.spend(5, of: .boxes) && meter.left(of: .boxes) == 0)
        #expect(meter.spend(4, of: .boxes, besides: 4))
        #expect(!meter.spend(.max, of: .boxes) && !meter.spend(.max, of: .boxes, besides: .max))
    }

    @Test func budgetsHaveNamesAndCodes() {
        for budget in Budget.allCases {
            #expect(budget.code.rawValue == "budget." + budget.rawValue)
            #expect(budget.strict <= budget.standard && !budget.counts.isEmpty)
            #expect(Limits.strict[budget] == budget.strict && Limits()[budget] == budget.standard)
        }
    }

    @Test func jsonEscapesWhatSteersTerminalsAndReaders() {
        var json = JSONBuffer()
        json.string("a\u{1B}\u{9B}\u{202E}\u{2066}\u{2028}é\u{200F}…")
        #expect(String(decoding: json.bytes, as: UTF8.self) == #""a\u001b\u009b\u202e\u2066\u2028é"# + "\u{200F}…\"")
    }
}
