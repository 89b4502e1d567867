import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { WordsProvider } from '#base/web/words.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import en from '#user/words/en.json' with { type: 'json' }
import zh from '#user/words/zh.json' with { type: 'json' }

const lin = { id: '7', name: '林小雨', avatar: null, isOfficial: true, isDeactivated: false, roles: [{ zh: '掌柜', en: 'Moderator' }] }

test('an avatar beside a name is silent, and one alone has the name as label', () => {
  expect(page(<Avatar of={lin} size={32} />)).toMatch(/aria-hidden="true"[^>]*>林</)
  expect(page(<Avatar of={lin} size={32} alone />)).toMatch(/role="img" aria-label="林小雨"/)
  const withPicture = { ...lin, avatar: '/file/f_0123456789012345678901' }
  expect(page(<Avatar of={withPicture} size={40} />)).toMatch(/src="\/file\/f_\d+\?w=96" width="40" height="40" alt=""/)
  expect(page(<Avatar of={withPicture} size={96} alone />)).toMatch(/src="\/file\/f_\d+" width="96" height="96" alt="林小雨"/)
})

test('a name links to its page and shows its labels in the language of the reader', () => {
  const html = page(<Name of={lin} />)
  expect(html).toContain('href="/user/control/home?userId=7"')
  expect(textOf(html)).toBe('林小雨OfficialModerator')
  expect(textOf(page(<Name of={{ ...lin, isDeactivated: true }} />, 'zh'))).toBe('林小雨官方账号已注销掌柜')
  expect(textOf(page(<Name of={lin} withRoles={false} />))).toBe('林小雨Official')
})

test('a name is escaped text', () => {
  expect(page(<Name of={{ ...lin, name: '<img src=x onerror=alert(1)>' }} />)).not.toContain('<img')
})

function page(children: ReactNode, language: 'en' | 'zh' = 'en'): string {
  const router = createMemoryRouter([{ path: '/', element: children }])
  return renderToString(
    <WordsProvider language={language} messages={{ user: language === 'zh' ? zh : en }}>
      <RouterProvider router={router} />
    </WordsProvider>,
  )
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '')
}
