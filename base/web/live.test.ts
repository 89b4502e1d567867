import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventReader } from '#base/web/live.ts'

const stream =
  'retry: 3000\n\n:\n\nid: 7\ndata: {"floors":7}\n\nid: 8\r\ndata: two\r\ndata: lines\r\n\r\nevent: x\ndata:none\n\nid: 9\ndata: cut'
const events = [
  { id: '', name: 'retry', data: '3000' },
  { id: '7', name: '', data: '{"floors":7}' },
  { id: '8', name: '', data: 'two\nlines' },
  { id: '8', name: 'x', data: 'none' },
]

test('a stream is understood at any cut, and an incomplete event is not reported', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 30 })
  fc.assert(
    fc.property(cuts, (at) => {
      const read = eventReader()
      const edges = [0, ...at.sort((a, b) => a - b), stream.length]
      const parts = edges.slice(1).map((edge, index) => stream.slice(edges[index], edge))
      expect(parts.flatMap((part) => read(part))).toEqual(events)
    }),
  )
})
