import { expect, test } from 'vitest'
import { program, textOf } from '../../../tools/repository.ts'

// The parts left out of the members' router (apps/web/lean-router-plugin.ts).
const leftOut = /\b(?:use(?:Fetchers?|Submit|ActionData|FormAction)|Form|patchRoutes\w*|instrumentations)\b/

test('the parts left out of the router are not used', () => {
  const users = program()
    .filter((path) => !path.endsWith('-plugin.ts'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/import \{([^}]*)\} from 'react-router'/g)].filter(([, names = '']) => leftOut.test(names)).map(() => path),
    )
  expect(users).toEqual([])
})

test('no route has an action for forms', () => {
  const routes = program().filter((path) => path.startsWith('apps/') && textOf(path).includes('RouteObject'))
  expect(routes.length).toBeGreaterThan(0)
  expect(routes.filter((path) => /\baction:/.test(textOf(path)))).toEqual([])
})

test('no route of the members is fetched by the router, or has something run around it', () => {
  const users = program().filter((path) => path.startsWith('apps/web/') && /\b(?:lazy|middleware):/.test(textOf(path)))
  expect(users).toEqual([])
})
