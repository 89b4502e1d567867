import { expect, test } from 'vitest'
import { parseFields, shapeOf } from '#base/server/http/form-fields.ts'
import { endpoints } from './endpoints.ts'

const spellings = ['1e3', '0x10', '0b1', '1_0', '1,0', '1 0', '+1', '1.', '.1', '①', '1²', '', 'Infinity', 'NaN', 'true', 'null']

const numbers = (await endpoints()).flatMap(({ path, input }) =>
  Object.entries(shapeOf(input)).flatMap(([name, type]) => {
    const read = (text: string) => parseFields(input, new URLSearchParams([[name, text]]))[name]
    return typeof read('1') === 'number' ? [{ path, name, takesIt: (text: string) => type.safeParse(read(text)).success }] : []
  }),
)

test('there are numbers to try', () => {
  expect(numbers.map(({ path, name }) => `${path} ${name}`)).toContain('/comment/list floor')
})

test.each(numbers)('$path takes "$name" in decimal digits alone', ({ takesIt }) => {
  expect(spellings.filter(takesIt)).toEqual([])
})
