import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { withoutMemoized } from '#apps/web/memoized-plugin.ts'

const context = { parse: (code: string) => parseSync('a.tsx', code).program }

function built(code: string, { isForBrowser = true } = {}): string {
  const { configResolved, transform } = withoutMemoized() as unknown as Hooks
  configResolved({ build: { ssr: !isForBrowser } })
  return transform.handler.call(context, code)?.code ?? code
}

type Hooks = {
  configResolved(config: { build: { ssr: boolean } }): void
  transform: { handler(this: typeof context, code: string): { code: string } | null }
}

test('the child of a memoized part is in the browser’s file, with its key', () => {
  expect(built('const row = <Memoized key={id} by={() => id > 1 && [id]}><Row of={id} /></Memoized>')).toBe(
    'const row = <Row key={id} of={id} />',
  )
  expect(built('<p><Memoized by={() => []}><><i /><Row /></></Memoized></p>')).toBe('<p><><i /><Row /></></p>')
  expect(built('<><Memoized by={one}><b /></Memoized><Memoized by={two}><i>{2}</i></Memoized></>')).toBe('<><b /><i>{2}</i></>')
})

test('the server’s file keeps it', () => {
  const code = '<Memoized by={() => []}><Row /></Memoized>'
  expect(built(code, { isForBrowser: false })).toBe(code)
})
