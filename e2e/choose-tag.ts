import type { Page } from 'playwright-core'

/** Chooses a tag of the form by typing what it is called; without a name, the first there is. Another becomes a further tag. */
export async function chooseTag(page: Page, label: string, name?: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label })
  await box.click()
  if (name) await box.fill(name)
  else await box.press('ArrowDown')
  await box.press('Enter')
}
