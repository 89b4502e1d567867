import { textSizes, themes, type TextSize, type Theme } from '#base/preferences.ts'
import { createStore } from '#base/web/store.ts'

/** The system's theme until the browser reads the stored choice; the server cannot know it. */
export const chosenTheme = createStore<Theme>('system')
export const chosenTextSize = createStore<TextSize>('normal')

/** Applies a theme, and stores it in this browser: the next page begins with it. */
export function showTheme(theme: Theme): void {
  chosenTheme.set(theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  localStorage.setItem('theme', theme)
}

export function showTextSize(size: TextSize): void {
  chosenTextSize.set(size)
  if (size === 'normal') delete document.documentElement.dataset['text']
  else document.documentElement.dataset['text'] = size
  localStorage.setItem('textSize', size)
}

/** Fills the stores with this browser's choices; the page shows them already. */
export function loadStored(): void {
  chosenTheme.set(themes.find((theme) => theme === localStorage.getItem('theme')) ?? 'system')
  chosenTextSize.set(textSizes.find((size) => size === localStorage.getItem('textSize')) ?? 'normal')
}
