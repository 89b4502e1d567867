import { renderToString } from 'react-dom/server'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { addPlaces, Place } from '#base/web/places.tsx'

declare module '#base/web/places.tsx' {
  interface Places {
    'test.tray': { tea: string }
    'test.empty': { tea: string }
    'test.broken': { tea: string }
  }
}

/** Without the marks of React and what is left of failed components. */
const htmlOf = (node: ReactNode) => renderToString(node).replaceAll(/<!--.*?-->|<template.*?<\/template>/gs, '')

test('a place shows the parts of the features that have one, in the order of the list, and nothing without any', () => {
  addPlaces([
    { 'test.tray': ({ tea }) => <b>{tea}</b> },
    { 'test.empty': undefined },
    { 'test.tray': ({ tea }) => tea === 'green' && <i>cup</i> },
  ])
  expect(htmlOf(<Place name="test.tray" tea="green" />)).toBe('<b>green</b><i>cup</i>')
  expect(htmlOf(<Place name="test.tray" tea="black" />)).toBe('<b>black</b>')
  expect(htmlOf(<Place name="test.empty" tea="black" />)).toBe('')
})

test('a component that fails takes neither its neighbours nor the page with it', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  addPlaces([
    {
      'test.broken': () => {
        throw new Error('The pot is broken')
      },
    },
    { 'test.broken': ({ tea }) => <i>{tea}</i> },
  ])
  expect(
    htmlOf(
      <main>
        <Place name="test.broken" tea="green" />
      </main>,
    ),
  ).toBe('<main><i>green</i></main>')
  log.mockRestore()
})
