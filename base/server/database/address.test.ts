import { expect, test } from 'vitest'
import { InvalidValue } from '#base/server/invalid-value.ts'
import { placesOf, readAddress } from '#base/server/database/address.ts'
import { addressesOf } from '#base/server/database/roles.ts'

const two = [
  { host: '10.0.0.10', port: 5432 },
  { host: '10.0.0.11', port: 5433 },
]

test.each([
  ['postgresql://tea:pot@10.0.0.10:5432,10.0.0.11:5433/tea', two],
  ['postgresql://tea:pot@10.0.0.10,10.0.0.11:5433/tea?target_session_attrs=read-write', two],
  ['postgresql://tea:pot@/tea?host=10.0.0.10,10.0.0.11&port=5432,5433', two],
  [
    'postgresql://tea:pot@[fd00::1],[fd00::2]:5433/tea',
    [
      { host: 'fd00::1', port: 5432 },
      { host: 'fd00::2', port: 5433 },
    ],
  ],
  ['postgresql://tea:pot@[fd00::1]:5433/tea', [{ host: 'fd00::1', port: 5433 }]],
  [
    'postgresql:///tea?host=/run/one,/run/two&port=5433',
    [
      { host: '/run/one', port: 5433 },
      { host: '/run/two', port: 5433 },
    ],
  ],
  [
    'postgresql://tea@%2Frun%2Fone,db.example.org/tea',
    [
      { host: '/run/one', port: 5432 },
      { host: 'db.example.org', port: 5432 },
    ],
  ],
  ['postgresql://localhost/tea', [{ host: 'localhost', port: 5432 }]],
])('%s names its hosts', (address, places) => {
  expect(placesOf(readAddress(address, 'primary'))).toEqual(places)
})

test('the roles use the same hosts, and no user of a parameter stands above them', () => {
  const owner = readAddress('postgresql://one,two:5433/tea?user=tea&password=p%40t&sslmode=disable', 'primary')
  const { app, reader } = addressesOf(owner)
  for (const address of [app, reader]) expect(placesOf(address).map(({ host }) => host)).toEqual(['one', 'two'])
  expect([new URL(owner).username, new URL(owner).password]).toEqual(['tea', 'p%40t'])
  expect([new URL(app).username, new URL(app).searchParams.get('user')]).toEqual(['teahouse_app', null])
})

test.each([
  ['gssencmode=disable', 'gssencmode would have no effect'],
  ['channel_binding=require&keepalives=1', 'channel_binding and keepalives would have no effect'],
  ['client_encoding=UTF8', 'client_encoding would have no effect'],
  ['statement_timeout=5', 'statement_timeout would have no effect: the forum sets its own limits'],
  ['target_session_attrs=any', 'target_session_attrs=any would have no effect: the forum writes'],
  ['target_session_attrs=standby', 'target_session_attrs=standby would have no effect'],
  ['sslmode=allow', 'sslmode must be one of'],
  ['connect_timeout=soon', 'connect_timeout must be 1 to 99 seconds'],
  ['port=5432,5433', 'one port, or as many ports as hosts'],
])('an address with %s is refused by name', (parameter, sentence) => {
  expect(refusal(() => readAddress(`postgresql://tea:pot@localhost/tea?${parameter}`, 'primary'))).toContain(sentence)
})

test.each(['read-write', 'primary'])('%s is what the forum needs of its database, and not of a replica', (sessions) => {
  const address = `postgresql://tea:pot@one,two/tea?target_session_attrs=${sessions}`
  for (const use of ['primary', 'direct'] as const) expect(placesOf(readAddress(address, use))).toHaveLength(2)
  expect(refusal(() => readAddress(address, 'replica'))).toContain('any, standby, prefer-standby, read-only')
})

test.each(['postgresql://one,,two/tea', 'postgresql://one,two:x/tea', 'postgresql://one,two:70000/tea', 'postgresql://one,two'])(
  '%s is no address',
  (address) => {
    expect(refusal(() => readAddress(address, 'primary'))).toContain('the address of a PostgreSQL database')
  },
)

function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof InvalidValue) return error.message
    throw error
  }
  throw new Error('Nothing was refused.')
}
