import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { addPlaces, Place } from '#base/web/places.tsx'

declare module '#base/web/places.tsx' {
  interface Places {
    'test.tray': { tea: string }
    'test.empty': { tea: string }
  }
}

test('a place shows what each feature has for it, in the order of the list, and nothing where none has', () => {
  addPlaces([
    { 'test.tray': ({ tea }) => <b>{tea}</b> },
    { 'test.empty': undefined },
    { 'test.tray': ({ tea }) => tea === 'green' && <i>cup</i> },
  ])
  expect(renderToString(<Place name="test.tray" tea="green" />)).toBe('<b>green</b><i>cup</i>')
  expect(renderToString(<Place name="test.tray" tea="black" />)).toBe('<b>black</b>')
  expect(renderToString(<Place name="test.empty" tea="black" />)).toBe('')
})
