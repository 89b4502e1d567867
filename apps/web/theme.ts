// Runs before the first paint: applies the chosen theme and text size, marks members, those with access to the assistant, and visitors who
// closed the greeting; decides whether to offer the browser's language, if none was chosen; and notes a touch that the program would miss.
const chosen = localStorage.getItem('theme')
if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset['theme'] = chosen
const size = localStorage.getItem('textSize')
if (size === 'large' || size === 'larger') document.documentElement.dataset['text'] = size
if (localStorage.getItem('bbsToken')) document.documentElement.dataset['member'] = ''
if (localStorage.getItem('assistant')) document.documentElement.dataset['assistant'] = ''
if (localStorage.getItem('welcomed')) document.documentElement.dataset['welcomed'] = ''

const isChinese = (language: string) => /^zh/i.test(language)
const hasChosen = /(?:^|; )language=/.test(document.cookie) || localStorage.getItem('language')
if (!hasChosen && isChinese(navigator.language) !== isChinese(document.documentElement.lang))
  document.documentElement.dataset['speaks'] = ''
addEventListener('touchstart', () => (document.documentElement.dataset['touched'] = ''), { once: true, passive: true })
