import type { Page } from 'playwright-core'

/** Selects a tag of the form by typing its name, or the first one. A second selection adds a further tag. */
export async function chooseTag(page: Page, label: string, name?: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label })
  await box.click()
  if (name) await box.fill(name)
  else await box.press('ArrowDown')
  await box.press('Enter')
}
