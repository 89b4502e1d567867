import { expect, test } from 'vitest'
import { requestedMember, isPublicPage, memberPages, memberTree, memberPageAt, memberPagePath } from '#apps/web/member-pages.ts'
import { screens } from '#apps/web/screens.ts'

const ofMembers = screens.map(({ path }) => path).filter((path) => path.startsWith('/user/control/'))
const paths = memberPages.map(({ name }) => memberPagePath(name))

test('every page of the member’s area is in exactly one group of the tree, and the tree names no other', () => {
  expect(paths.toSorted()).toEqual(ofMembers.toSorted())
  expect(new Set(paths).size).toBe(paths.length)
})

test('a head has at most five tabs, and the settings have five groups', () => {
  const { overview, ...groups } = memberTree.settings
  expect(overview.pages).toHaveLength(1)
  expect(Object.keys(groups)).toEqual(['profile', 'security', 'notifications', 'reading', 'data'])
  expect(Object.keys(memberTree.tabs).length).toBeLessThanOrEqual(5)
})

test('a page is opened from one of its own group, and each group lists at least one', () => {
  const astray = memberPages.filter(({ from, group }) => from !== null && memberPageAt(memberPagePath(from))?.group !== group)
  expect(astray).toEqual([])
  const groups = new Set(memberPages.map(({ group }) => group))
  for (const group of groups) expect(memberPages.some((one) => one.group === group && one.from === null)).toBe(true)
})

test('login and security settings are one group, and money is another', () => {
  const inGroup = (group: string) => memberPages.filter((one) => one.group === group).map(({ name }) => name)
  expect(inGroup('security')).toEqual(
    expect.arrayContaining(['password', 'signInMethods', 'passkeys', 'secondFactor', 'userLoginLogList', 'phoneBinding', 'emailBinding']),
  )
  expect(inGroup('security')).toEqual(expect.arrayContaining(['realNameAuthentication', 'tokens']))
  expect(inGroup('wallet')).toEqual(
    expect.arrayContaining(['point', 'balance', 'payment', 'membershipCardOrderList', 'giveRedEnvelopeList', 'receiveRedEnvelopeList']),
  )
})

test('every page about a member, but for messages, is framed by their head and the navigation', () => {
  const outside = screens.filter(({ path }) => path.startsWith('/user/control/')).filter(({ isInMemberArea }) => !isInMemberArea)
  expect(outside.map(({ path }) => path)).toEqual(['/user/control/privateMessageList', '/user/control/privateMessageChatList'])
})

test('the address names another member only on their public pages', () => {
  for (const { name } of memberPages) expect(requestedMember(memberPagePath(name), '?userId=2'), name).toBe(isPublicPage(name) ? '2' : null)
  const groups = new Set(memberPages.filter(({ name }) => isPublicPage(name)).map(({ group }) => group))
  expect(groups).toEqual(new Set(['activity', 'content', 'favorites', 'following']))
  expect(requestedMember(memberPagePath('home'), '')).toBe(null)
})
