import { describe, expect, test } from 'vitest'
import { screens } from '#apps/admin/screens.ts'
import { findScreens } from '#apps/admin/find-screens.ts'
import { findSettings } from '#setting/admin/find-settings.ts'
import { allWords, imported, program } from '../../tools/repository.ts'

const nobody = { read: () => Promise.reject(new Error('Nothing is asked')), write: () => Promise.reject(new Error('Nothing is done')) }
const everything = allWords()
const says = (['en', 'zh'] as const).map((language) => (code: string) => {
  const [feature, key = ''] = code.split('.')
  const text = everything.find(({ name }) => name === feature)?.[language][key]
  return typeof text === 'string' ? text : ''
})

async function found(typed: string): Promise<string[]> {
  const settings = await findSettings(typed, nobody, says)
  return [...findScreens(typed, says).map(({ path }) => path), ...settings.map(({ to }) => to)]
}

test('every page is opened by a screen', () => {
  const pages = program().filter((path) => /^features\/[^/]+\/[^/]+\/admin\/[\w-]+-page\.tsx$/.test(path))
  const imports = screens.map(({ page }) => String(page)).join()
  expect(pages.filter((path) => !imports.includes(imported(path).slice(1)))).toEqual([])
})

test('every screen of the menu has other names, and no other screen has any', () => {
  const inMenu = screens.filter(({ group, right }) => group ?? right === 'self').map(({ path }) => path)
  expect(screens.filter(({ aliases }) => aliases).map(({ path }) => path)).toEqual(inMenu)
})

describe('the words of administrators of other forums', () => {
  test.each([
    ['友链', '/admin/link'],
    ['公告', '/admin/notice'],
    ['禁言', '/admin/member'],
    ['封号', '/admin/member'],
    ['版块', '/admin/tag'],
    ['违禁词', '/admin/sensitiveList'],
    ['回收站', '/admin/topic'],
    ['页脚', '/admin/slot'],
    ['页脚', '/admin/setting?group=site#icpNumber'],
    ['自定义字段', '/admin/field'],
    ['计划任务', '/admin/maintenance/job'],
    ['关站', '/admin/setting?group=site#siteState'],
    ['用户组', '/admin/role'],
    ['权限', '/admin/role'],
    ['导航', '/admin/section'],
    ['广告', '/admin/slot'],
    ['防灌水', '/admin/setting?group=posting#secondsBetweenTopics'],
    ['附件', '/admin/setting?group=files#attachmentKinds'],
    ['日志', '/admin/audit'],
    ['还原', '/admin/maintenance/backup'],
    ['ban', '/admin/member'],
    ['permissions', '/admin/role'],
    ['footer', '/admin/slot'],
    ['custom field', '/admin/field'],
    ['announcement', '/admin/notice'],
    ['word filter', '/admin/sensitiveList'],
    ['two-factor', '/admin/self'],
    ['two-factor', '/admin/setting?group=accounts#staffSecondFactor'],
    ['cron', '/admin/maintenance/job'],
    ['trash', '/admin/topic'],
    ['categories', '/admin/tag'],
    ['queue', '/admin/review'],
    ['theme', '/admin/slot'],
    ['spam', '/admin/cleaning'],
    ['maintenance', '/admin/setting?group=site#siteState'],
    ['close', '/admin/setting?group=site#siteState'],
  ])('%s finds %s', async (typed, to) => {
    expect(await found(typed)).toContain(to)
  })

  test('the very name comes first', async () => {
    expect(findScreens('reports', says)[0]?.path).toBe('/admin/report')
    expect(findScreens('ban', says)[0]?.path).toBe('/admin/member')
    expect(findScreens('permissions', says).map(({ path }) => path)).toEqual(['/admin/role', '/admin/staffRole'])
  })
})
