import '../shared/style.css';
import { completeExamples } from '../shared/examples.ts';

completeExamples();
