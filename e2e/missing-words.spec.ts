import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { untilIdle } from './idle.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const label = '最新回复'
const word = /byReply:`最新回复`,/

// As if the build had missed that reading uses the text.
test('a late text arrives with the others, and the page is stable meanwhile', async () => {
  const { page, context, complaints } = await site.visit({ isNew: true })
  const first = textOf('zh')
  await page.route(`**/${first.file}`, (route) => route.fulfill({ body: without(first.text), contentType: 'text/javascript' }))
  const more = textOf('zh/more')
  const brings = more.text.replace(/\btopic:\{/, (start) => `${start}byReply:\`${label}\`,`)
  await page.route(`**/${more.file}`, (route) => route.fulfill({ body: brings, contentType: 'text/javascript' }))
  await page.goto('/index')
  await untilIdle(page)
  await page.getByRole('link', { name: label, exact: true }).waitFor()
  expect(await page.getByRole('main').count()).toBe(1)
  expect(complaints.join('\n')).toContain('There are no words for topic.byReply')
  await context.close()
})

test('a missing text is its key, and all else of the page works', async () => {
  const { page, context, complaints } = await site.visit({ isNew: true })
  const first = textOf('zh')
  await page.route(`**/${first.file}`, (route) => route.fulfill({ body: without(first.text), contentType: 'text/javascript' }))
  await page.goto('/index')
  await page.getByRole('link', { name: 'byReply', exact: true }).click()
  await page.waitForURL('**/index?sort=reply')
  await page.getByRole('link', { name: 'byReply', exact: true }).waitFor()
  expect(complaints.join('\n')).toContain('There are no words for topic.byReply')
  await context.close()
})

/** The built module of texts. */
function textOf(name: string): { file: string; text: string } {
  const manifest: Record<string, { file: string }> = JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8'))
  const file = manifest[`virtual:words/${name}`]?.file ?? ''
  return { file, text: readFileSync(`dist/web/${file}`, 'utf8') }
}

function without(text: string): string {
  expect(text).toMatch(word)
  return text.replace(word, '')
}
