import { textSizes, themes, type TextSize, type Theme } from '#base/preferences.ts'
import { storeOf } from '#base/web/store.ts'

/** As the system says until the browser's start looks up what the person chose; the server cannot know. */
export const chosenTheme = storeOf<Theme>('system')
export const chosenTextSize = storeOf<TextSize>('normal')

/** Shows a theme, and keeps it in this browser: the next page begins with it. */
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

/** What this browser keeps, for the stores; the page looks so already. */
export function learnStored(): void {
  chosenTheme.set(themes.find((theme) => theme === localStorage.getItem('theme')) ?? 'system')
  chosenTextSize.set(textSizes.find((size) => size === localStorage.getItem('textSize')) ?? 'normal')
}
