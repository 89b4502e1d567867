/** Popular questions. Accounts without a question seem to have one of these. */
export const inventedQuestions = {
  zh: [
    '我小学班主任叫什么名字？',
    '我出生在哪座城市？',
    '我养的第一只宠物叫什么？',
    '我最喜欢的一本书是什么？',
    '我外婆家在哪个村子？',
    '我第一份工作在哪里？',
    '我小时候最好的朋友是谁？',
    '我最难忘的一次旅行去了哪里？',
  ],
  en: [
    'What was my first pet called?',
    'In which town was I born?',
    'Who was my best friend at school?',
    'Which book do I like most?',
    'What was the name of my first teacher?',
    'Where did my grandparents live?',
    'Where was my first job?',
    'Which was my first car?',
  ],
} as const
