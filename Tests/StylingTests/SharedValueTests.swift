// Values that styles share: changing one does not affect the others.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS

@Suite struct SharedValueTests {
    @Test func aChangeIsOnesOwn() {
        let first = SharedValue(FontStyle())
        var second = first
        #expect(first == second && first.isShared(with: second))
        second.value.weight = 700
        #expect(first.value.weight == 400 && second.value.weight == 700 && first != second)
        second.value.weight = 400
        #expect(first == second && !first.isShared(with: second))
    }

    @Test func changesOfAnElementStayInIt() {
        var values = StyleValues()
        let parent = ComputedStyle(values)
        values.own.decoration.lines = [.underline]
        values.inherited.weightSteps = 2
        let child = ComputedStyle(values)
        let other = StyleValues(inheritingFrom: child)
        #expect(parent.inherited.weightSteps == 0 && child.inherited.weightSteps == 2)
        #expect(other.inherited.weightSteps == 2 && other.own == OwnCascadeState())
        #expect(!(parent == child) && StyleValues(child).own.decoration.lines == [.underline])
    }
}
