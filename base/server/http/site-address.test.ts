import { expect, test } from 'vitest'
import { readConfig } from '#base/server/config.ts'
import { isReachedFromNetwork, setSiteAddress } from '#base/server/http/site-address.ts'

const reached = (env: Record<string, string>) => {
  setSiteAddress(readConfig(env))
  return isReachedFromNetwork()
}

test.each<Record<string, string>>([
  {},
  { HOST: 'localhost' },
  { HOST: '127.0.0.1' },
  { HOST: '127.8.0.1' },
  { HOST: '::1' },
  { TEAHOUSE_URL: 'http://localhost:3000' },
  { TEAHOUSE_URL: 'http://tea.localhost' },
  { TEAHOUSE_URL: 'http://[::1]:3000' },
])('a site with %j is reached from its own machine alone', (env) => {
  expect(reached(env)).toBe(false)
})

test.each<Record<string, string>>([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.7' },
  { HOST: 'tea.example.org' },
  { HOST: '0.0.0.0', TEAHOUSE_URL: 'http://localhost:3000' },
  { TEAHOUSE_URL: 'https://tea.example.org' },
  { TEAHOUSE_URL: 'https://localhost.example.org' },
  { TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1' },
])('a site with %j is reached from the network', (env) => {
  expect(reached(env)).toBe(true)
})
