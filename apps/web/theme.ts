// Runs before the first paint: the theme and the size of texts that the person chose, where they are not the usual, and whether they are a member,
// may ask the assistant, or closed the greeting of those who come first; and whether the browser of one who chose no language asks for the other one.
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
