import { expect, test } from 'vitest'
import { screens } from '#apps/web/screens.ts'
import { imported, program, textOf } from '../../tools/repository.ts'

test('every screen has its page, and every page of a feature a screen', () => {
  const files = new Set(screens.map(({ file }) => file.slice(1)))
  const pages = program().filter((path) => /^features\/[^/]+\/[^/]+\/web\/[\w-]+-page\.tsx$|^apps\/web\/screens\/[\w-]+\.tsx$/.test(path))
  expect([...files].filter((file) => !pages.includes(file))).toEqual([])
  const imports = pages
    .filter((path) => path.startsWith('apps/'))
    .map(textOf)
    .join()
  expect(pages.filter((path) => !files.has(path) && !path.startsWith('apps/') && !imports.includes(imported(path)))).toEqual([])
})
