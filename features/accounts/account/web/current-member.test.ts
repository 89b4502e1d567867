import { expect, test } from 'vitest'
import { member, onMemberLogout, type Me } from '#account/web/current-member.ts'

test('the data stored for a member is dropped at logout or for another member, and stays for the same one', () => {
  let times = 0
  onMemberLogout(() => times++)
  const one = (userId: string) => ({ userId }) as Me
  const after = [one('5'), one('5'), one('6'), one('6'), null, one('6')].map((who) => {
    member.set(who)
    return times
  })
  expect(after).toEqual([0, 0, 1, 1, 2, 2])
})
