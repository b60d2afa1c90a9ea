/** Everything that the landing page says and claims, in one place. */

const UPLOAD = { to: '/upload', label: 'Upload Video' } as const
const DASHBOARD = { to: '/dashboard', label: 'Dashboard' } as const
const SIGN_IN = { to: '/sign-in', label: 'Sign In' } as const

export const HERO = {
  title: 'Record it once. Everyone follows it step by step.',
  text: 'Adapt turns a narrated how-to video into an interactive training: timestamped steps, a transcript, and an AI tutor that knows every second of it.',
  signedIn: [DASHBOARD, UPLOAD],
  signedOut: [{ to: '/sign-up', label: 'Get Started' }, SIGN_IN],
} as const

export const FIGURES = [
  { value: '10,000+', label: 'training modules' },
  { value: '50,000+', label: 'active learners' },
  { value: '94%', label: 'completion rate' },
  { value: '3 hours', label: 'average time saved' },
] as const

export const PROMISES = [
  {
    picture: 'video',
    title: 'Video learning',
    text: 'Drop a screen recording. Adapt listens to the narration and marks where each step begins and ends.',
  },
  {
    picture: 'tutor',
    title: 'AI assistance',
    text: 'Learners ask in their own words, by text or voice, and get an answer that points to the moment in the video.',
  },
  {
    picture: 'progress',
    title: 'Interactive training',
    text: 'Timestamped videos and progress tracking: jump to a step, do it, tick it off, and pick up where you left.',
  },
] as const

export const WAY = [
  {
    title: 'Upload',
    text: 'Drag in the recording that you already have. Captions are welcome, and not needed.',
  },
  {
    title: 'Adapt writes the steps',
    text: 'Title, explanation and time of each step come from what was said. You change what you want to say better.',
  },
  {
    title: 'Share the link',
    text: 'Anybody with the link watches and follows along. No account, nothing to install.',
  },
] as const

export const TESTIMONIALS = [
  {
    quote:
      'Our onboarding was forty screen recordings that no new colleague finished. Now people open the step they need and get on with their day.',
    name: 'Sarah Chen',
    role: 'Head of Training',
  },
  {
    quote:
      'I record the way I would explain it to a colleague. Ten minutes later there is a course with steps, and I changed two words.',
    name: 'Marcus Rodriguez',
    role: 'Operations Manager',
  },
  {
    quote:
      'New hires ask the tutor instead of interrupting the team, and it answers with the exact second of the video.',
    name: 'Emily Watson',
    role: 'Customer Success Lead',
  },
] as const

export const CLOSING = {
  title: 'Your next training is already on your disk.',
  text: 'Take one recording and see it as a course.',
  signedIn: [UPLOAD, DASHBOARD],
  signedOut: [{ to: '/sign-up', label: 'Start Free Trial' }, SIGN_IN],
} as const

export const PICTURE = {
  title: 'Set up a new project',
  caption: 'Now choose Create project and give it a name.',
  steps: [
    { time: '00:00', title: 'Open the studio' },
    { time: '00:48', title: 'Pick a subscription' },
    { time: '02:06', title: 'Create the project' },
    { time: '03:31', title: 'Add training data' },
    { time: '05:12', title: 'Start the first run' },
  ],
  currentStep: 2,
  currentText: 'Choose Create project, give it a name that the team will find, and confirm.',
  question: 'Which name should I use?',
  answer: 'Any name works. The video uses the team’s name, so that others find it.',
  answerTime: '02:19',
} as const
