import { expect, test } from 'vitest'
import { search as screen } from '#apps/web/screens/search.data.ts'
import { search } from '#search/contract.ts'

test('the server makes the page of a search by all that narrows one', () => {
  expect(new Set(screen.parameters)).toEqual(new Set(Object.keys(search.input.shape)))
})
