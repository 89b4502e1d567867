const maxAge = 130

/** The age on a day, both as 2026-11-23. A person born on 29 February turns a year older on 1 March in common years. */
export function ageOn(day: string, birthday: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4))
  return day.slice(5) < birthday.slice(5) ? years - 1 : years
}

export function isPlausibleBirthday(birthday: string, today: string): boolean {
  return birthday <= today && ageOn(today, birthday) <= maxAge
}

export const ageOfMajority = 18
