import { expect, test } from 'vitest'
import { member, onMemberLogout, type Me } from '#account/web/current-member.ts'

test('what is kept for a member goes when they leave or another comes, and stays when the same is told anew', () => {
  let times = 0
  onMemberLogout(() => times++)
  const one = (userId: string) => ({ userId }) as Me
  const after = [one('5'), one('5'), one('6'), one('6'), null, one('6')].map((who) => {
    member.set(who)
    return times
  })
  expect(after).toEqual([0, 0, 1, 1, 2, 2])
})
