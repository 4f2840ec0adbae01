import '../shared/style.css';
import '../shared/nav.css';
import '../shared/text.css';
import { completeExamples } from '../shared/examples.ts';

completeExamples();
