import { expect, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { firstLine, problemOf } from '#maintenance/server/problem.ts'
import { nextAfter } from '#maintenance/server/schedule.ts'

const at = (text: string) => new Date(`${text}:00Z`)
const daily = { days: 1, hour: 3, timeZone: 'UTC' }

test('the first backup comes at the next such hour', () => {
  expect(nextAfter(null, at('2026-05-01T10:00'), daily)).toEqual(at('2026-05-02T03:00'))
  expect(nextAfter(null, at('2026-05-01T03:20'), daily)).toEqual(at('2026-05-01T03:00'))
})

test('the next comes at its hour, however late the last one was', () => {
  expect(nextAfter(at('2026-05-01T03:00'), at('2026-05-01T10:00'), daily)).toEqual(at('2026-05-02T03:00'))
  expect(nextAfter(at('2026-05-01T09:00'), at('2026-05-01T10:00'), daily)).toEqual(at('2026-05-02T03:00'))
  expect(nextAfter(at('2026-05-01T03:01'), at('2026-05-01T10:00'), { ...daily, days: 7 })).toEqual(at('2026-05-08T03:00'))
})

test('a missed backup is due at once, and none is due without a schedule', () => {
  expect(nextAfter(at('2026-04-01T03:00'), at('2026-05-01T10:00'), daily)).toEqual(at('2026-04-02T03:00'))
  expect(nextAfter(null, at('2026-05-01T10:00'), { ...daily, days: 0 })).toBeNull()
})

test('its hour is in the time zone of the site, through changes of the clock', () => {
  const berlin = { ...daily, timeZone: 'Europe/Berlin' }
  expect(nextAfter(at('2026-03-28T02:00'), at('2026-03-28T03:00'), berlin)).toEqual(at('2026-03-29T01:00'))
  expect(nextAfter(null, at('2026-05-01T20:00'), { ...daily, timeZone: 'Asia/Shanghai' })).toEqual(at('2026-05-02T19:00'))
})

test('of an error the first line is shown, without possible secrets', () => {
  expect(firstLine('connect postgresql://tea:hunter2@db/tea failed\nat x')).toBe('connect postgresql://…@db/tea failed')
  expect(firstLine('password=hunter2 was refused')).toBe('password=… was refused')
  expect(firstLine(`no session ${'a1B2'.repeat(12)} here`)).toBe('no session … here')
})

test('a known cause of a failed rehearsal or backup is named by its code', () => {
  const errors = [
    new Error('permission denied to create database'),
    Object.assign(new Error('could not extend file'), { code: '53100' }),
    Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }),
    new CannotStart('Members are there already.'),
    new TypeError('x is undefined'),
  ]
  expect(errors.map((error) => problemOf(error).problem)).toEqual(['mayNotMakeDatabases', 'full', 'full', 'refused', 'other'])
})
