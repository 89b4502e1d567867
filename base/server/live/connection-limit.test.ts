import { expect, test } from 'vitest'
import { connectionLimit, type Connection, type ConnectionLimits } from '#base/server/live/connection-limit.ts'
import type { Viewer } from '#base/server/http/route.ts'

const rights = { may: () => true, where: () => ({ except: [] }), audience: '' }
const [mei, tom]: Viewer[] = ['1', '2'].map((id) => ({ ...rights, id }))
const visitor: Viewer = { ...rights, id: null }

type Opened = Pick<Connection, 'close'> & { begin(): void; /** How often it was ended. */ ends(): number }

function limited(limits: Partial<ConnectionLimits> = {}) {
  const { take } = connectionLimit({ total: 100, perMember: 3, perNetwork: 3, ...limits })
  function request({ viewer = visitor, ip = '198.51.100.7', name = null as string | null } = {}): Opened {
    const connection = take({ viewer, ip, name })
    let ends = 0
    return { ...connection, begin: () => connection.begin(() => ends++), ends: () => ends }
  }
  function open(of: Parameters<typeof request>[0] = {}): Opened {
    const opened = request(of)
    opened.begin()
    return opened
  }
  return { request, open }
}

const ends = (opened: readonly Opened[]) => opened.map((one) => one.ends())

test('a stream replaces the former one of its name, of members and of visitors', () => {
  const { open } = limited({ perMember: 1, perNetwork: 1 })
  for (const viewer of [mei, visitor]) {
    const opened = Array.from({ length: 40 }, () => open({ viewer, name: '/news tab' }))
    expect(ends(opened)).toEqual([...Array(39).fill(1), 0])
  }
})

test('the name of another member’s stream, and one of another network, end nothing', () => {
  const { open } = limited()
  const opened = [
    open({ viewer: mei, name: '/news tab' }),
    open({ viewer: tom, name: '/news tab' }),
    open({ name: '/news tab' }),
    open({ name: '/news tab', ip: '203.0.113.9' }),
  ]
  expect(ends(opened)).toEqual([0, 0, 0, 0])
})

test('above a member’s limit the oldest stream ends, whatever the names', () => {
  const { open } = limited()
  const opened = [null, 'a', null, 'b', 'c'].map((name) => open({ viewer: mei, name }))
  expect(ends(opened)).toEqual([1, 1, 0, 0, 0])
})

test('a stream that is never begun ends none', () => {
  const { open, request } = limited()
  const opened = [1, 2, 3].map(() => open({ viewer: mei }))
  request({ viewer: mei }).close()
  expect(ends(opened)).toEqual([0, 0, 0])
})

test('a stream that was replaced before it begins ends as it begins, and the one that replaced it stays', () => {
  const { open, request } = limited()
  const slow = request({ viewer: mei, name: '/news tab' })
  const next = open({ viewer: mei, name: '/news tab' })
  slow.begin()
  expect(ends([slow, next])).toEqual([1, 0])
})

test('of many streams requested at once, those requested last stay', () => {
  const { request } = limited()
  const opened = Array.from({ length: 6 }, () => request({ viewer: mei }))
  for (const one of opened.toReversed()) one.begin()
  expect(ends(opened)).toEqual([1, 1, 1, 0, 0, 0])
})

test('above a network’s limit a visitor is refused, and nobody’s stream ends', () => {
  const { open } = limited()
  const opened = [1, 2, 3].map(() => open())
  expect(() => open()).toThrow('base.tooFast')
  expect(open({ ip: '203.0.113.9' }).ends()).toBe(0)
  expect(ends(opened)).toEqual([0, 0, 0])
  opened[0]?.close()
  expect(open().ends()).toBe(0)
})

test('visitors of the machine itself have no limit but that of the process', () => {
  const { open } = limited({ total: 5 })
  for (let n = 0; n < 5; n++) open({ ip: '127.0.0.1' })
  expect(() => open({ ip: '127.0.0.1' })).toThrow('base.tooFast')
})

test('above the limit of the process a member is refused too, and a replaced stream counts until it is closed', () => {
  const { open } = limited({ total: 2 })
  const [first] = [open({ viewer: mei, name: 'a' }), open({ viewer: mei, name: 'b' })]
  expect(() => open({ viewer: mei, name: 'a' })).toThrow('base.tooFast')
  expect(first.ends()).toBe(1)
  first.close()
  first.close()
  open({ viewer: mei, name: 'a' })
  expect(() => open({ viewer: tom })).toThrow('base.tooFast')
})
