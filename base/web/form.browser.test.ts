import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { componentPage, type Answer, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  site = await componentPage('./gallery.tsx')
  const browser = await openBrowser()
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

afterEach(() => {
  if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = () => ({ body: { pots: 3 } })
  await page.goto(`${site.origin}/form`)
})

const pour = () => page.getByRole('button', { name: 'Pour tea' }).click()
const wrongs = () => page.locator('.wrong').allTextContents()
const keys = () => site.calls.map(({ headers }) => headers['idempotency-key'])
const sent = (call = 0) => [...new URLSearchParams(site.calls[call]?.body)]

async function fill(): Promise<void> {
  await page.getByLabel('Title').fill('Longjing')
  await page.getByLabel('Password').fill('a-quiet-evening')
  await page.getByLabel('Cups').fill('4')
  await page.getByLabel('Leaf').selectOption('green')
  await page.getByLabel('Quiet').check()
  await page.getByLabel('Warm').check()
  await page.getByLabel('I have read').check()
}

describe('before it is sent', () => {
  test('an error stands at its field in place of the help, and the first gets the focus', async () => {
    await pour()
    expect(await wrongs()).toEqual(Array.from({ length: 7 }, () => 'This is required.'))
    expect(site.calls).toEqual([])
    const title = page.getByLabel('Title')
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await title.getAttribute('aria-invalid')).toBe('true')
    const described = await title.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('This is required.')
    expect(await page.getByText('Up to twelve characters').count()).toBe(0)
  })

  test('the contract words the errors', async () => {
    await fill()
    await page.getByLabel('Title').fill('Longer than twelve characters')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('Cups').fill('1')
    await pour()
    expect(await wrongs()).toEqual(['At most 12 characters.', 'At least 7 characters.', 'At least 2.'])
  })

  test('a field being corrected is no longer wrong', async () => {
    await pour()
    await page.getByLabel('Title').pressSequentially('T')
    expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBeNull()
    expect(await page.getByText('Up to twelve characters').count()).toBe(1)
  })

  test('a password is shown on request, and hidden again', async () => {
    await page.getByLabel('Password').fill('a-quiet-evening')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('text')
    await page.getByRole('button', { name: 'Hide' }).click()
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
  })
})

describe('when it is sent', () => {
  test('every field of the contract is sent, and nothing else', async () => {
    await fill()
    await page.getByLabel('Not of this form').fill('kettle')
    await pour()
    await page.getByText('3 pots').waitFor()
    expect(sent()).toEqual([
      ['title', 'Longjing'],
      ['secret', 'a-quiet-evening'],
      ['cups', '4'],
      ['note', ''],
      ['leaf', 'green'],
      ['tags', 'quiet'],
      ['tags', 'warm'],
      ['extras', '[]'],
      ['agrees', 'true'],
      ['body', '{"text":"茶"}'],
      ['topicId', '42'],
    ])
  })

  test('the form is sent once, however often the button is clicked, which is busy meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    site.answer = () => promise
    await fill()
    await page.evaluate(() => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Pour tea')
      button?.click()
      button?.click()
    })
    await page.locator('button[data-busy][aria-disabled="true"]').waitFor()
    await page.getByLabel('Title').press('Enter')
    resolve({ body: { pots: 3 } })
    await page.getByText('3 pots').waitFor()
    expect(site.calls).toHaveLength(1)
    await page.locator('button[data-busy]').waitFor({ state: 'detached' })
  })

  test('the data of the page is loaded again', async () => {
    const before = Number(await page.locator('#loads').textContent())
    await fill()
    await pour()
    await page.getByText('3 pots').waitFor()
    await expect.poll(() => page.locator('#loads').textContent()).toBe(String(before + 1))
  })

  test('a form used many times is empty again, and not sent a second time by another press; a refused one stays', async () => {
    const word = page.getByLabel('Word', { exact: true })
    const say = () => page.getByRole('button', { name: 'Say it' }).click()
    site.answer = () => ({ status: 422, body: { error: { word: 'Not that' } } })
    await word.fill('Longjing')
    await say()
    await page.getByText('Not that').waitFor()
    expect(await word.inputValue()).toBe('Longjing')
    site.answer = () => ({ body: {} })
    await say()
    await expect.poll(() => word.inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Say it' }).evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(wrongs).toEqual(['This is required.'])
    expect(site.calls).toHaveLength(2)
  })

  test('each action has a key of its own, which a repeated one keeps', async () => {
    await fill()
    const answers = [{ status: 500 }, { status: 422, body: { error: { title: 'No' } } }, {}, {}]
    for (const [index, { status = 200, body = { pots: index } }] of answers.entries()) {
      site.answer = () => ({ status, body })
      await pour()
      await expect.poll(() => site.calls.length).toBe(index + 1)
      await page.locator('button[data-busy]').waitFor({ state: 'detached' })
    }
    const [broken, refused, success, next] = keys()
    expect(broken).toMatch(/^[0-9a-f]{32}$/)
    expect(refused).toBe(broken)
    expect(new Set([broken, success, next]).size).toBe(3)
  })
})

describe('when it is refused', () => {
  async function refused(error: object): Promise<void> {
    site.answer = () => ({ status: 422, body: { error } })
    await fill()
    await pour()
    await expect.poll(() => site.calls.length).toBe(1)
    await page.locator('button[data-busy]').waitFor({ state: 'detached' })
  }

  test('each message stands at its field, and all typed text is still there', async () => {
    await refused({ title: 'Taken', body: 'Too short', tags_1: 'No such tag', tags_2: 'Nor this' })
    expect(await wrongs()).toEqual(['Taken', 'No such tag\nNor this', 'No such tag\nNor this', 'Too short'])
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    expect(await page.getByLabel('Title').inputValue()).toBe('Longjing')
    expect(await page.getByLabel('Password').inputValue()).toBe('a-quiet-evening')
    expect(await page.getByLabel('Quiet').isChecked()).toBe(true)
    expect(await page.getByLabel('Title').evaluate((field) => field === document.activeElement)).toBe(true)
  })

  test('messages without a field are a numbered list, and closing it is reported', async () => {
    await refused({ tea: 'The pot is empty', topicId: 'The topic is closed', unknown_part: '<b>Nobody knows this</b>', title: 'Taken' })
    const alert = page.getByRole('alertdialog', { name: 'Please check the following' })
    expect(await alert.locator('p').textContent()).toBe('1. The pot is empty\n2. The topic is closed\n3. <b>Nobody knows this</b>')
    expect(await alert.locator('p').evaluate((list) => getComputedStyle(list).whiteSpace)).toContain('pre-line')
    expect(await alert.getByRole('button').allTextContents()).toEqual([''])
    await alert.getByRole('button', { name: 'Close' }).click()
    expect(await alert.count()).toBe(0)
    expect(await page.locator('#closed').textContent()).toBe('1')
    expect(await page.getByLabel('Title').evaluate((field) => field === document.activeElement)).toBe(true)
  })

  test('the list can be drawn aside, and not out of sight; Esc closes it', async () => {
    await refused({ tea: 'The pot is empty' })
    const alert = page.getByRole('alertdialog')
    const before = await placeOf()
    await drag(before.x + 60, before.y + 20, 150, 90)
    const after = await placeOf()
    expect([after.x - before.x, after.y - before.y]).toEqual([150, 90])
    await drag(after.x + 60, after.y + 20, 5_000, -5_000)
    const last = await placeOf()
    expect(last.y).toBeGreaterThan(-2)
    expect(last.x).toBeLessThan(1280)
    await page.keyboard.press('Escape')
    expect(await alert.count()).toBe(0)
    expect(await page.locator('#closed').textContent()).toBe('1')
  })

  test.each(['__proto__', 'constructor', 'toString', '__proto___x', 'hasOwnProperty_1', '_', ''])(
    'the name %j is no field',
    async (name) => {
      await refused(JSON.parse(`{${JSON.stringify(name)}: "Gotcha"}`))
      expect(await page.getByRole('alertdialog').locator('p').textContent()).toBe('1. Gotcha')
      expect(await wrongs()).toEqual([])
      expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([])
    },
  )

  async function placeOf(): Promise<{ x: number; y: number }> {
    const box = await page.getByRole('alertdialog').boundingBox()
    if (!box) throw new Error('The alert is not there')
    return box
  }

  async function drag(x: number, y: number, right: number, down: number): Promise<void> {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + right / 2, y + down / 2)
    await page.mouse.move(x + right, y + down)
    await page.mouse.up()
  }
})

describe('a part, whose fields have names with dots', () => {
  const publish = () => page.getByRole('button', { name: 'Publish' }).click()

  test('goes as an object, with the fields of one name as a list; without its fields there is none', async () => {
    await page.getByLabel('Heading').fill('Which tea')
    await publish()
    await expect.poll(() => site.calls.length).toBe(1)
    expect(sent()).toEqual([['title', 'Which tea']])
    await page.locator('button[data-busy]').waitFor({ state: 'detached' })
    const ofPlace = page.getByText('of the place')
    expect(await ofPlace.allTextContents()).toEqual(['The first of the place', 'The second of the place'])
    await page.getByRole('button', { name: 'Add a poll' }).click()
    await page.getByLabel('Question').fill('Morning or evening')
    expect(await ofPlace.allTextContents()).toEqual(['The second of the place'])
    await page.getByLabel('First').fill('Morning')
    await page.getByLabel('Third').fill('Evening')
    await publish()
    await expect.poll(() => site.calls.length).toBe(2)
    const [, part] = sent(1)
    expect([part?.[0], JSON.parse(part?.[1] ?? '')]).toEqual([
      'parts',
      { leaf: 'green', poll: { question: 'Morning or evening', options: ['Morning', 'Evening'], days: 3 } },
    ])
  })

  test('shows errors at its fields, and refusals', async () => {
    await page.getByLabel('Heading').fill('Which tea')
    await page.getByRole('button', { name: 'Add a poll' }).click()
    await page.getByLabel('First').fill('Morning')
    await publish()
    expect(await wrongs()).toEqual(['This is required.', ...Array.from({ length: 3 }, () => 'At least 2.')])
    await page.getByLabel('Question').fill('When')
    await page.getByLabel('Second').fill('Evening')
    site.answer = () => ({ status: 422, body: { error: { 'parts.poll.question': 'Ask better', 'parts.poll': 'One poll a day' } } })
    await publish()
    await page.getByRole('alertdialog').waitFor()
    expect(await wrongs()).toEqual(['Ask better'])
    expect(await page.getByRole('alertdialog').locator('p').textContent()).toBe('1. One poll a day')
  })
})

test('a form that cannot be sent says so, keeps its text, and can be sent again', async () => {
  await fill()
  await page.context().setOffline(true)
  await pour()
  await page.getByText('The site can’t be reached').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Longjing')
  await page.context().setOffline(false)
  await pour()
  await page.getByText('3 pots').waitFor()
  expect(site.calls).toHaveLength(1)
})
