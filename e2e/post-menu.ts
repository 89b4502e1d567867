import type { Locator } from 'playwright-core'

const named = /^(更多操作|More)$/

/** The menu button of a post; of a comment its own, not those of its replies. */
export function menuOf(post: Locator): Locator {
  return post.getByRole('button', { name: named }).first()
}

/** Opens the menu of a post and clicks an entry. */
export async function choose(post: Locator, action: string): Promise<void> {
  await menuOf(post).click()
  await post.page().getByRole('menuitem', { name: action, exact: true }).click()
}
