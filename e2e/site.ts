import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { builtFrontend } from '#apps/server/frontend.ts'
import { readConfig } from '#base/server/config.ts'
import type { Database } from '#base/server/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { seedFirst } from '#database/seed.ts'
import { launch } from '../tools/browser.ts'

export type Visit = { language?: 'zh' | 'en'; theme?: 'light' | 'dark'; width?: 'phone' | 'desktop'; javaScript?: boolean }

export type Site = {
  url: string
  database: Database
  browser: Browser
  /** A browser of its own, that fails the test when its console complains or the policy is broken. */
  visit(as?: Visit): Promise<{ page: Page; context: BrowserContext; complaints: string[] }>
}

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

/** The whole forum as it was built, with its sample community, on a port of its own, and a real browser to walk it. */
export async function aSite({ sample = true } = {}): Promise<Site> {
  const { database, close } = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-site-'))
  const config = { ...readConfig({ TEAHOUSE_DATA: dataDir, TEAHOUSE_SAMPLE: sample ? '1' : '0' }), development: false }
  await seedFirst(database, config)
  const app = await openApp({ config, database, log: pino({ level: 'error' }), openFrontend: builtFrontend, checked: true })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launch()
  afterAll(async () => {
    await browser.close()
    await app.close()
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function visit({ language = 'zh', theme = 'light', width = 'desktop', javaScript = true }: Visit = {}) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: sizes[width],
      colorScheme: theme,
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
      javaScriptEnabled: javaScript,
      ...(width === 'phone' && { hasTouch: true, isMobile: true }),
    })
    await context.addCookies([{ name: 'language', value: language === 'zh' ? 'zh_CN' : 'en_US', url }])
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    return { page, context, complaints }
  }

  return { url, database, browser, visit }
}

export function expectQuiet(complaints: readonly string[]): void {
  expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([])
}
