/** Of both seeded accounts. */
export const SEEDED_PASSWORD = 'north-workshop'

export const SEEDED_ORGANIZATION = { id: 'org_SeededNorthWorkshop', name: 'North Workshop', slug: 'north-workshop' }

export const SEEDED_ADMIN = {
  id: 'user_SeededAdmin',
  email: 'admin@adapt.test',
  firstName: 'Ada',
  lastName: 'Brandt',
  role: 'org:admin',
}

export const SEEDED_MEMBER = {
  id: 'user_SeededMember',
  email: 'member@adapt.test',
  firstName: 'Max',
  lastName: 'Okafor',
  role: 'org:member',
}
