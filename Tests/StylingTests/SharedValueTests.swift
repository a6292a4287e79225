// Values that styles share: a change of one does not reach the others.

import Testing

@testable import Basics
@testable import Styling

@Suite struct SharedValueTests {
    @Test func aChangeIsOnesOwn() {
        let first = SharedValue([1, 2])
        var second = first
        #expect(first == second && first.hashValue == second.hashValue)
        second.value.append(3)
        #expect(first.value == [1, 2] && second.value == [1, 2, 3] && first != second)
        second.value.removeLast()
        #expect(first == second)
    }

    @Test func changesOfAnElementStayInIt() {
        var values = StyleValues()
        let parent = ComputedStyle(values)
        values.own.decorationLines = [.underline]
        values.inherited.weightSteps = 2
        let child = ComputedStyle(values)
        let other = StyleValues(inheritingFrom: child)
        #expect(parent.inherited.weightSteps == 0 && child.inherited.weightSteps == 2)
        #expect(other.inherited.weightSteps == 2 && other.own == OwnCascadeState())
        #expect(!(parent == child) && StyleValues(child).own.decorationLines == [.underline])
    }
}
