import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inPixels, moved, zoomFactor, maxZoom, zoomOf, largestSquare, zoomed } from '#user/web/crop.ts'

const pixels = fc.integer({ min: 1, max: 10_000 })
const picture = fc.record({ width: pixels, height: pixels })
const step = fc.oneof(
  fc.record({ to: fc.double({ min: 0.01, max: 200, noNaN: true }) }),
  fc.record({ by: fc.record({ x: fc.double({ min: -2e4, max: 2e4, noNaN: true }), y: fc.double({ min: -2e4, max: 2e4, noNaN: true }) }) }),
)

test('a picture dragged and zoomed in any way ends in a square of whole pixels within it', () => {
  fc.assert(
    fc.property(picture, fc.array(step, { maxLength: 12 }), (size, steps) => {
      const crop = steps.reduce(
        (crop, step) => ('to' in step ? zoomed(crop, step.to, size) : moved(crop, step.by, size)),
        largestSquare(size),
      )
      const { x, y, width, height } = inPixels(crop, size)
      expect(width).toBe(height)
      for (const number of [x, y, width]) expect(Number.isInteger(number)).toBe(true)
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(width).toBeGreaterThanOrEqual(1)
      expect(x + width).toBeLessThanOrEqual(size.width)
      expect(y + height).toBeLessThanOrEqual(size.height)
    }),
  )
})

test('coming nearer keeps the middle, and going all the way back shows the most', () => {
  const size = { width: 400, height: 300 }
  const near = zoomed(largestSquare(size), 2, size)
  expect(near).toEqual({ x: 125, y: 75, side: 150 })
  expect(zoomOf(near, size)).toBe(2)
  expect(zoomed(moved(near, { x: 999, y: 999 }, size), 1, size)).toEqual({ x: 100, y: 0, side: 300 })
})

test('a wheel comes as near by many small turns as by one, and by lines as by pixels', () => {
  const turn = { deltaMode: 0, ctrlKey: false }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -200, max: 200 }), { maxLength: 50 }), (turns) => {
      const whole = zoomFactor({ ...turn, deltaY: turns.reduce((sum, one) => sum + one, 0) })
      const parts = turns.reduce((nearer, deltaY) => nearer * zoomFactor({ ...turn, deltaY }), 1)
      expect(parts / whole).toBeCloseTo(1, 9)
    }),
  )
  expect(zoomFactor({ ...turn, deltaMode: 1, deltaY: -3 })).toBeCloseTo(zoomFactor({ ...turn, deltaY: -100 }), 1)
  expect(zoomFactor({ ...turn, deltaY: -1 })).toBeLessThan(1.01)
  expect(zoomFactor({ ...turn, ctrlKey: true, deltaY: -10 })).toBeGreaterThan(1.05)
})

test('a small picture cannot be zoomed into blur', () => {
  expect(maxZoom({ width: 50, height: 900 })).toBe(1)
  expect(maxZoom({ width: 640, height: 900 })).toBe(10)
})
