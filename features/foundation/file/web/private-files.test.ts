import { expect, test } from 'vitest'
import { withKey } from '#file/web/private-files.ts'

const file = 'f_0123456789abcdefghij_-'

test('a key is put into every address of its file, in place of an older one, and into no other', () => {
  const other = '/file/f_zzzzzzzzzzzzzzzzzzzzzz?w=480'
  expect(withKey(`/file/${file}`, file, 'new')).toBe(`/file/${file}?key=new`)
  expect(withKey(`https://tea.example/file/${file}?w=96&key=old`, file, 'new')).toBe(`https://tea.example/file/${file}?w=96&key=new`)
  expect(withKey(`/file/${file}?w=480&as=avif 480w, /file/${file}?w=960 960w, ${other} 1w`, file, 'new')).toBe(
    `/file/${file}?w=480&as=avif&key=new 480w, /file/${file}?w=960&key=new 960w, ${other} 1w`,
  )
})
