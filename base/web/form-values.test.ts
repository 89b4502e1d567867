import { expect, test } from 'vitest'
import { nest } from '#base/web/form-values.ts'

test('values of dotted names become nested objects, beside the existing ones, and the input stays unchanged', () => {
  const values = { title: 'Tea', parts: { poll: { question: 'When' } } }
  const more = { 'parts.poll.days': 3, parts: { tea: { leaf: 'green' } }, body: { type: 'doc', content: [] } }
  expect(nest(values, more)).toEqual({
    title: 'Tea',
    parts: { poll: { question: 'When', days: 3 }, tea: { leaf: 'green' } },
    body: { type: 'doc', content: [] },
  })
  expect(values).toEqual({ title: 'Tea', parts: { poll: { question: 'When' } } })
  expect(more.parts).toEqual({ tea: { leaf: 'green' } })
  const parts = { poll: {} }
  expect(nest({}, { parts, 'parts.poll.days': 3 })).toEqual({ parts: { poll: { days: 3 } } })
  expect(parts).toEqual({ poll: {} })
})

test('no name reaches the prototype of all objects', () => {
  for (const name of ['__proto__.steeped', 'constructor.prototype.steeped', 'parts.__proto__.steeped'])
    nest({ parts: {} }, { [name]: true })
  nest({}, JSON.parse('{ "__proto__": { "steeped": true } }'))
  expect(({} as Record<string, unknown>).steeped).toBeUndefined()
})
