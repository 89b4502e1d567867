import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { npmPackages } from '../testing/npm-packages.ts'

type Probe = { httpGet: { path: string } }
type Container = { env?: unknown; livenessProbe: Probe; readinessProbe: Probe; startupProbe: Probe }
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  spec: { template: { spec: { containers: [Container]; terminationGracePeriodSeconds: number } } }
}

let packages: Awaited<ReturnType<typeof npmPackages>>
let manifests: Manifest[]

beforeAll(async () => {
  packages = await npmPackages(['kubernetes-types@1.30.0', 'yaml@2.8.1'])
  const { parseAllDocuments } = packages.require('yaml')
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'))
  const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  manifests = texts.flatMap((text) => parseAllDocuments(text)).map((document) => document.toJS())
})

test('the API of Kubernetes knows every field of the manifests, and misses none', () => {
  expect(manifests.length).toBeGreaterThan(6)
  expect(faultsOf(manifests)).toBe('')
})

test('a misspelt field is found', () => {
  const deployment = manifests.find(({ kind }) => kind === 'Deployment') as (typeof manifests)[number]
  const misspelt = { ...deployment.spec, replicass: 2 }
  expect(faultsOf([{ ...deployment, spec: misspelt }])).toContain('replicass')
})

test('a database that is away takes no server out, and restarts none', () => {
  const { livenessProbe, readinessProbe, startupProbe } = server().containers[0]
  expect([livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet.path)).toEqual(Array(3).fill('/health/live'))
})

test('a server that stops has time to answer the longest request after it has drained', () => {
  const drain = Number(manifests.find(({ kind }) => kind === 'ConfigMap')?.data['TEAHOUSE_DRAIN_SECONDS'])
  expect(server().terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 120)
})

function server() {
  const found = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'teahouse')
  if (!found) throw new Error('There is no Deployment.')
  return found.spec.template.spec
}

/** What the compiler says about the manifests as values of Kubernetes' types, which refuses unknown fields. */
function faultsOf(values: readonly Partial<Manifest>[]): string {
  const lines = values.map(({ apiVersion = '', kind = '', ...rest }, n) => {
    const group = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')
    return `export const v${n}: import('kubernetes-types/${group}').${kind} = ${JSON.stringify({ apiVersion, kind, ...rest })}`
  })
  const file = join(packages.folder, 'manifests.ts')
  writeFileSync(file, lines.join('\n'))
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  const how = ['--noEmit', '--strict', '--types', '', '--module', 'nodenext', '--ignoreConfig', '--pretty', 'false']
  try {
    return execFileSync(process.execPath, [compiler, ...how, file], { cwd: packages.folder, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String(Object(error).stdout)
  }
}
