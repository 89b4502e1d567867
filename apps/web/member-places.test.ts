import { expect, test } from 'vitest'
import { askedMember, memberPlaces, placePath, placeWord } from '#apps/web/member-places.ts'
import { memberScreens } from '#apps/web/member-screens.ts'
import { screens } from '#apps/web/screens.ts'

test('every page about a member has a name in the one list of them', () => {
  expect(memberScreens.filter(({ path }) => !placeWord(path))).toEqual([])
})

test('every page about a member, but for messages, stands between their head and rail', () => {
  const outside = screens.filter(({ path }) => path.startsWith('/user/control/')).filter((screen) => !memberScreens.includes(screen))
  expect(outside.map(({ path }) => path)).toEqual(['/user/control/privateMessageList', '/user/control/privateMessageChatList'])
})

test('the address names another member where they show something, and nowhere else', () => {
  const asked = (places: readonly (readonly [Parameters<typeof placePath>[0], string])[]) =>
    new Set(places.map(([name]) => askedMember(placePath(name), '?userId=2')))
  expect(asked(memberPlaces.shown)).toEqual(new Set(['2']))
  expect(asked([...memberPlaces.kept, ...memberPlaces.settings, ...memberPlaces.beside])).toEqual(new Set([null]))
  expect(askedMember(placePath('home'), '')).toBe(null)
})
