// Shows on the page of a collection what this device keeps of the learner's progress, by the keys of
// web/features/learning/learned.ts. The test beside web/app/share compares the two.
const whole = document.getElementById('whole')
/** With places for numbers, as worker/domain/collection/write-collection.ts writes them. */
const texts = whole.dataset
const members = [...document.querySelectorAll('li[data-module]')]

function read(key, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(key))
  } catch {
    // Storage is forbidden, or what is there was written by hand.
    return null
  }
}

function progressOf({ dataset: { module, seconds } }, learners) {
  const progresses = learners.map((who) => read(`adapt_learned:${who}:${module}`))
  const seen = progresses.map((learned) =>
    Array.isArray(learned?.seen) ? learned.seen.reduce((sum, [from, to]) => sum + to - from, 0) : 0,
  )
  const length = Math.max(1, Math.round(seconds))
  const isCompleted = progresses.some((learned) => learned?.isCompleted === true)
  const percent = seconds === '' ? 0 : Math.min(100, Math.floor((Math.max(...seen) * 100) / length))
  return { isCompleted, percent: isCompleted ? 100 : percent }
}

function show() {
  // A learner with an account, one without, and an owner who tries the own link.
  const account = read('adapt_account_learner')?.userId
  const learners = ['anyone', 'owner', ...(typeof account === 'string' ? [account] : [])]
  let completed = 0
  let sum = 0
  for (const member of members) {
    const { isCompleted, percent } = progressOf(member, learners)
    const mark = member.querySelector('.mark')
    mark.textContent = isCompleted ? texts.completed : texts.watched.replace('{percent}', percent)
    mark.hidden = percent === 0
    completed += isCompleted ? 1 : 0
    sum += percent
  }
  whole.querySelector('p').textContent = texts.count
    .replace('{completed}', completed)
    .replace('{count}', members.length)
  const bar = whole.querySelector('progress')
  bar.max = members.length * 100
  bar.value = sum
  whole.hidden = members.length === 0
}

/** While words are typed, this long after the last key. */
const TYPED_MS = 250
const form = document.getElementById('ask')
const field = document.getElementById('words')
const found = document.getElementById('found')
/** What is announced: the sentence over the list, or that there is none. */
const says = document.getElementById('says')
/** Of this tab, so that a training's own link back leads to the words as well. */
const key = `adapt_words:${location.pathname}`
let timer = 0
let asking = null
let askedWords = field?.value.trim() ?? ''

function keepWords(words) {
  history.replaceState(null, '', words === '' ? location.pathname : `?q=${encodeURIComponent(words)}`)
  try {
    if (words === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, words)
  } catch {
    // Storage is forbidden: the address has the words.
  }
}

function showFound(html, sentence = '') {
  found.innerHTML = html
  const first = found.querySelector('p')
  says.textContent = first?.textContent ?? sentence
  first?.remove()
}

/** Asks the server for what the field says; the worker writes the list. */
async function ask() {
  clearTimeout(timer)
  const words = field.value.trim()
  if (words === askedWords) return
  askedWords = words
  keepWords(words)
  asking?.abort()
  asking = new AbortController()
  const { signal } = asking
  if (words === '') {
    showFound('')
    return
  }
  try {
    const answer = await fetch(`${form.dataset.found}?q=${encodeURIComponent(words)}`, { signal })
    if (!answer.ok) throw new Error(String(answer.status))
    const html = await answer.text()
    if (!signal.aborted) showFound(html)
  } catch {
    if (signal.aborted) return
    askedWords = null
    showFound('', form.dataset.failed)
  }
}

/** Where a model answers; missing where no owner lets it. */
const answer = document.getElementById('answer')
const answerKey = `adapt_answer:${location.pathname}`

function showAnswer(words, html, text) {
  answer.dataset.words = words
  answer.innerHTML = html
  if (text) answer.firstChild.textContent = text
}

/** Asks a model only when a question is sent, since each answer is paid for. */
async function askModel() {
  const words = field.value.trim()
  if (!answer || words === '' || answer.dataset.words === words) return
  showAnswer(words, '<p></p>', form.dataset.writing)
  let html = null
  try {
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(form.dataset.ask, { method: 'POST', headers, body: JSON.stringify({ question: words }) })
    if (sent.ok) html = (await sent.json()).html ?? ''
    if (html) sessionStorage.setItem(answerKey, JSON.stringify([words, html]))
  } catch {
    // Offline, or no storage.
  }
  if (answer.dataset.words !== words) return
  // Not the words of the field: they can be asked again.
  if (html === null) showAnswer(' ', '<p></p>', form.dataset.failed)
  else showAnswer(html && words, html)
}

/** Shows an answer again when a training leads back; other words have none yet. */
function matchAnswer() {
  const words = field.value.trim()
  if (!answer || answer.dataset.words === words) return
  const [kept, html] = read(answerKey, sessionStorage) ?? []
  const isKept = kept === words
  showAnswer(isKept ? words : '', isKept ? html : '')
}

function readKept() {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask()
    void askModel()
  })
  field.addEventListener('input', () => {
    matchAnswer()
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), TYPED_MS)
  })
  if (askedWords === '') {
    field.value = field.value || readKept()
    void ask()
  } else keepWords(field.value.trim())
  matchAnswer()
}

show()
addEventListener('pageshow', show)
addEventListener('storage', show)
